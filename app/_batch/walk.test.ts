import { expect, test } from "vitest";
import { beginWalk, withPart } from "./walk";

const defaultKey = { code: "default_key_not_disabled", error: "the default API key is never disabled", key_count: 1 };
const revoked = { code: "key_revoked", error: "the API key is revoked", key_count: 2 };

test("counts what was done, what was so before and what was left out, and how far it is", () => {
  const first = withPart(beginWalk(10), {
    updated_count: 4,
    unchanged_count: 1,
    left_out: [defaultKey],
    remaining_count: 6,
    remaining_count_is_exact: true,
    next: "sk-0000005",
  });
  expect(first).toMatchObject({ seen: 5, total: 11, updated: 4, unchanged: 1, leftOut: [defaultKey] });
  const last = withPart(first, { updated_count: 3, left_out: [revoked, defaultKey], remaining_count: 0, next: null });
  expect(last).toMatchObject({ seen: 11, total: 11, updated: 7, unchanged: 1 });
  expect(last.leftOut).toEqual([{ ...defaultKey, key_count: 2 }, revoked]);
});

test("where the rest is not counted, the total stays what was counted at first", () => {
  const part = { updated_count: 5_000, remaining_count: 95_000, remaining_count_is_exact: false, next: "sk-0" };
  expect(withPart(beginWalk(250_000), part).total).toBe(250_000);
});
