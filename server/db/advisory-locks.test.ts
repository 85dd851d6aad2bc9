import { expect, test } from "vitest";
import { HASHED_LOCKS, LOCKS } from "./advisory-locks";

test.each([
  ["one number", LOCKS],
  ["a number and a hash", HASHED_LOCKS],
])("locks named by %s have different numbers", (_, locks) => {
  const numbers = Object.values(locks);
  expect(new Set(numbers).size).toBe(numbers.length);
});
