import { z } from "zod";

/** The first field of every answer to a change. */
export const success = z.literal(true).meta({ description: "Always true.", examples: [true] });

/** A number of keys in an answer. */
export const keyCount = z.int().meta({ examples: [3], minimum: 0 });

/** The first field of every list. */
export const list = z.literal("list").meta({ description: "The value `list`.", examples: ["list"] });
