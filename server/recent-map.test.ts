import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMap } from "./recent-map";

test("an entry that is set again has its last value", () => {
  const map = new RecentMap<string, { value: number }>(8);
  map.set("a", { value: 1 });
  map.set("b", { value: 2 });
  map.set("a", { value: 3 });
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([{ value: 3 }, { value: 2 }, undefined]);
});

test("an entry that is deleted is gone, wherever it stood, and weighs nothing", () => {
  const map = new RecentMap<string, { value: number }>(4);
  // The second entry fills the newer half, so that the third one stands apart from them.
  for (const [value, name] of ["a", "b", "c"].entries()) map.set(name, { value });
  for (const name of ["a", "c", "d"]) map.delete(name);
  expect([map.get("a"), map.get("b"), map.get("c"), map.weight]).toEqual([undefined, { value: 1 }, undefined, 1]);
});

test("keeps at least half of what was set last, and never more than the bound", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { minLength: 60, maxLength: 60 }), (names) => {
      const map = new RecentMap<number, { place: number }>(10);
      const weights: number[] = [];
      for (const [place, name] of names.entries()) {
        map.set(name, { place });
        weights.push(map.weight);
      }
      const recent = [...new Set(names.toReversed())].slice(0, 5);
      expect(recent.map((name) => map.get(name)?.place)).toEqual(recent.map((name) => names.lastIndexOf(name)));
      expect(Math.max(...weights)).toBeLessThanOrEqual(10);
    }),
  );
});

test("an entry that is used stays longer than one that was set after it", () => {
  const map = new RecentMap<string, { value: number }>(4);
  for (const [value, name] of ["a", "b"].entries()) map.set(name, { value });
  expect(map.use("a")).toEqual({ value: 0 });
  expect(map.use("z")).toBeUndefined();
  map.set("c", { value: 2 });
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([{ value: 0 }, undefined, { value: 2 }]);
});

test("keeps no more than the weight of the bound and one entry", () => {
  const entry = fc.record({ name: fc.nat({ max: 9 }), weight: fc.integer({ min: 1, max: 7 }) });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 40, maxLength: 40 }), (entries) => {
      const map = new RecentMap<number, { weight: number }>(20, ({ weight }) => weight);
      const weights = entries.map(({ name, weight }) => {
        map.set(name, { weight });
        const kept = Array.from({ length: 10 }, (_, each) => map.get(each)?.weight ?? 0).reduce((a, b) => a + b);
        return { kept, said: map.weight };
      });
      expect(weights.filter(({ kept, said }) => kept > said || said >= 20 + 7)).toEqual([]);
    }),
  );
});
