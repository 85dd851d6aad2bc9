import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalText, sumExactly } from "./yuan";

test("a sum has no decimals that its parts do not have", () => {
  expect(sumExactly([])).toBe(0);
  expect(sumExactly([0.1, 0.2])).toBe(0.3);
  expect(sumExactly([1e-9, 0.123456789])).toBe(0.12345679);
  expect(sumExactly([1e15, -0.5])).toBe(999999999999999.5);
});

test("any amounts add up as whole billionths do", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e12 }), { maxLength: 400 }), (billionths) => {
      const sum = billionths.reduce((total, each) => total + each, 0);
      expect(sumExactly(billionths.map((each) => each / 1e9))).toBe(sum / 1e9);
    }),
  );
});

test.each([
  [0, "0"],
  [1e-9, "0.000000001"],
  [0.12345678, "0.12345678"],
  [1e-7, "0.0000001"],
  [100, "100"],
  [1e15, "1000000000000000"],
  [999_999_999_999_999.9, "999999999999999.9"],
])("%d is written %s", (yuan, text) => expect(decimalText(yuan)).toBe(text));
