import { expect, test } from "vitest";
import { RecentMap } from "./recent-map";

test("keeps the entries that were set last", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([3, undefined, 4]);
});

test("an entry that is taken is gone", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  expect([map.take("a"), map.take("a"), map.get("a")]).toEqual([1, undefined, undefined]);
});
