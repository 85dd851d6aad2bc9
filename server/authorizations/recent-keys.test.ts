import { expect, test } from "vitest";
import { newObjectId } from "../input/new-object-id";
import { RecentKeys } from "./recent-keys";

const keyOf = (i: number) => `sk-${String(i).padStart(7, "0")}`;

test.each([64, 8_192])("knows the key of each of the last %d ids, and of no other", (most) => {
  const recent = new RecentKeys(most);
  const ids = Array.from({ length: most + 136 }, newObjectId);
  for (const [i, id] of ids.entries()) recent.set(id, keyOf(i));
  expect(ids.map((id) => recent.get(id))).toEqual(ids.map((_, i) => (i < 136 ? undefined : keyOf(i))));
  expect(recent.get(newObjectId())).toBeUndefined();
});

test("takes the same memory whatever it knows", () => {
  const recent = new RecentKeys(1_024);
  for (let i = 0; i < 3_000; i++) recent.set(newObjectId(), keyOf(i));
  expect(recent.bytes).toBe(1_024 * 22);
});

test("an id of zeros, and what is no ObjectId, is unknown", () => {
  const recent = new RecentKeys(64);
  expect(["0".repeat(24), "", "xyz", "z".repeat(24)].map((id) => recent.get(id))).toEqual(Array(4).fill(undefined));
});
