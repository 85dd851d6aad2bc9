import { z } from "zod";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { MAX_AMOUNT, roundAmount, roundsToZero } from "./amount";

/** Any number of a request: an amount, a price, a rate, a factor. */
export const plainNumber = z.number({ error: expected("number (int or float)") });

/**
 * The rules that every number has in common which is stored with nine decimals: at most 1e15, not so small that it would round
 * to 0, and rounded half-even. See docs/api.md#amounts.
 * @param number with its lower bound.
 * @param tooSmall the sentence for a positive number that would round to 0.
 * @param abort whether the first fault ends the checks of the whole input.
 */
export function storable(number: z.ZodNumber, tooSmall: string, abort = false): z.ZodNumber {
  return number
    .max(MAX_AMOUNT, { error: "must be 1e15 or less", abort })
    .refine((value) => !roundsToZero(value), { ...rule("rounds_to_zero", tooSmall), abort })
    .overwrite(roundAmount);
}
