import { z } from "zod";
import { expected } from "./expectation";

/**
 * A whole number that JavaScript has exactly. A larger one is whole too, so it is told this bound. Parameters add bounds of
 * their own.
 */
export const wholeNumber = z.number({ error: expected("number (int)") }).int({
  error: ({ code }) => {
    if (code === "too_big") return `must be ${Number.MAX_SAFE_INTEGER} or less`;
    if (code === "too_small") return `must be ${Number.MIN_SAFE_INTEGER} or more`;
    return "must be a whole number";
  },
});
