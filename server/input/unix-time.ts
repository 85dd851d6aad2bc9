import { z } from "zod";

/** A moment in an answer: whole seconds since 1970 (UTC). `example`: 2026-11-21 00:00 UTC when it is not given. */
export function unixTime(moment: string, example = 1795219200): z.ZodInt {
  return z.int().meta({
    description: `${moment}, in whole seconds since 1970 (UTC).`,
    examples: [example],
    minimum: 0,
  });
}
