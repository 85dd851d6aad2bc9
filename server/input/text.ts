import { z } from "zod";
import { expected } from "./expectation";
import { rule } from "./fault";

/** Greatest length of the name of a key or a group, in Unicode code points after NFC (docs/api.md#names). */
export const MAX_NAME_LENGTH = 128;

/** Free text. NUL and lone surrogates are refused: no database text and no UTF-8 can hold them. */
export const freeText = z
  .string({ error: expected("string") })
  .refine((text) => !text.includes("\0"), rule("nul_character", "must not contain the character NUL"))
  .refine((text) => text.isWellFormed(), rule("broken_surrogate", "must not contain half of a surrogate pair"));

const tooLong = (most: number) => `must be at most ${most} characters long`;

/** Text of at most so many characters, in Unicode code points. */
export const atMost = (text: z.ZodString, most: number) => text.max(most, { error: tooLong(most) });

/** One character of a text may be composed of so many UTF-16 units: four code points, of two units each. */
const MOST_COMPOSED = 8;

/**
 * Text that names something, after NFC: a letter with an accent is one character, however a keyboard has composed it. A text that
 * is longer than `most` characters for sure ends the checks: to compose a long row of accents takes the square of its length.
 */
export const composedText = (most: number) =>
  freeText
    .refine((text) => text.length <= MOST_COMPOSED * most, {
      ...rule("too_long", tooLong(most), { most }),
      abort: true,
    })
    .overwrite((text) => text.normalize("NFC"));

/** The name of a key or a group: 1 to 128 characters, not only white space, stored as sent after NFC. */
export const nameText = atMost(
  composedText(MAX_NAME_LENGTH).refine((text) => text.trim() !== "", rule("empty", "must not be empty")),
  MAX_NAME_LENGTH,
).meta({ minLength: 1 });
