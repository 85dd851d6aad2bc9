import fc from "fast-check";
import { expect, test } from "vitest";
import { axisTicks } from "./scale";

test.each([
  [0, [0]],
  [4, [0, 1, 2, 3, 4]],
  [8, [0, 2, 4, 6, 8]],
  [9.5, [0, 2.5, 5, 7.5, 10]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [123, [0, 50, 100, 150]],
  [1e15, [0, 2.5e14, 5e14, 7.5e14, 1e15]],
  [1e-9, [0, 1e-9]],
  [9e-9, [0, 5e-9, 1e-8]],
])("up to %d the lines are %j", (greatest, ticks) => expect(axisTicks(greatest)).toEqual(ticks));

test("the lines reach above every amount, and are few", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (billionths) => {
      const ticks = axisTicks(billionths / 1e9);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual((billionths / 1e9) * (1 - 1e-9));
      expect(ticks.length).toBeLessThanOrEqual(6);
    }),
  );
});
