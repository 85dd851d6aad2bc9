import { z } from "zod";
import { atMost, freeText } from "./text";

const MAX_LENGTH = 128;

/** Parameter: a name of the caller's own for a change of many keys (docs/api.md#repeated-changes). */
export const requestName = atMost(freeText.min(1, { error: "must not be empty" }), MAX_LENGTH)
  .optional()
  .meta({
    description:
      "A name of your own for the change. Sent again, it changes nothing more, and answers how many keys it has changed. Another change with it is 400.",
    examples: ["raise-2026-12"],
  });

/** Answer: whether the change was made before. */
export const replayed = z
  .literal(true)
  .optional()
  .meta({ description: "Only in the answer to a repeated `request_id`: nothing more is changed.", examples: [true] });
