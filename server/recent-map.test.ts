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

test("keeps at least half of what was set last, and never more than the bound", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 200 }), (names) => {
      const map = new RecentMap<number, { place: number }>(10);
      for (const [place, name] of names.entries()) {
        map.set(name, { place });
        expect(map.weight).toBeLessThanOrEqual(10);
        const recent = [...new Set(names.slice(0, place + 1).reverse())].slice(0, 5);
        expect(recent.map((each) => map.get(each)?.place)).toEqual(
          recent.map((each) => names.lastIndexOf(each, place)),
        );
      }
    }),
  );
});

test("keeps no more than the weight of the bound and one entry", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.nat({ max: 9 }), weight: fc.integer({ min: 1, max: 7 }) })),
      (entries) => {
        const map = new RecentMap<number, { weight: number }>(20, ({ weight }) => weight);
        for (const { name, weight } of entries) {
          map.set(name, { weight });
          const kept = Array.from({ length: 10 }, (_, each) => map.get(each)?.weight ?? 0).reduce((a, b) => a + b);
          expect(map.weight).toBeGreaterThanOrEqual(kept);
          expect(map.weight).toBeLessThan(20 + 7);
        }
      },
    ),
  );
});
