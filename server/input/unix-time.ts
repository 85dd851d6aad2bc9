import { z } from "zod";

/** A moment in an answer: whole seconds since 1970 (UTC). */
export function unixTime(moment: string): z.ZodInt {
  return z.int().meta({
    description: `${moment}, in whole seconds since 1970 (UTC).`,
    examples: [1795219200],
    minimum: 0,
  });
}
