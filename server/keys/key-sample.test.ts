import { expect, test } from "vitest";
import { sampleOf } from "./key-sample";

test.each([
  ["the only account", 1_000_000, 1_000_000, 10],
  ["an account of a small installation", 30_000, 36_000, 10],
  ["an account with a fifth of all keys", 2_000_000, 10_000_000, 1],
  ["an account with less of them", 1_999_999, 10_000_000, undefined],
  ["a number of all keys that is not known", 1_000_000, 0, undefined],
])("the sample for %s", (_, kept, all, percent) => {
  expect(sampleOf(kept, all)).toEqual(percent && { percent, kept });
});
