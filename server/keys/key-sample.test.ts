import { expect, test } from "vitest";
import { MOST_READ, sampleOf } from "./key-sample";

test.each([
  ["a far page of the only account", 1_000_000, 1_000_000, MOST_READ.far, 10],
  ["a near page of the only account", 1_000_000, 1_000_000, MOST_READ.near, 1],
  ["an account of a small installation", 30_000, 36_000, MOST_READ.far, 10],
  ["an account with a fifth of all keys", 2_000_000, 10_000_000, MOST_READ.far, 1],
  ["an account with less of them", 1_999_999, 10_000_000, MOST_READ.far, undefined],
  ["a number of all keys that is not known", 1_000_000, 0, MOST_READ.far, undefined],
])("the sample for %s", (_, kept, all, read, percent) => {
  expect(sampleOf(kept, all, read)).toEqual(percent && { percent, kept });
});
