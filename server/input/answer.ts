import { z } from "zod";

/** What every answer to a change begins with. */
export const success = z.literal(true).meta({ description: "Always true.", examples: [true] });

/** How many keys something was done to, or is true of. */
export const keyCount = z.int().meta({ examples: [3], minimum: 0 });

/** What every list begins with. */
export const list = z.literal("list").meta({ description: "The value `list`.", examples: ["list"] });
