import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalOf, unitsOf } from "../limits/units";
import { readDecimal, readWholeNumber } from "./decimal-text";

describe("a decimal number in a text", () => {
  test("of at most nine decimals is exact, whatever its size", () => {
    const number = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(number, ([digits, decimals]) => {
        const text = digits.toString().padStart(decimals + 1, "0");
        const point = text.length - decimals;
        expect(readDecimal(`${text.slice(0, point)}.${text.slice(point)}`)).toBe(digits * 10n ** BigInt(9 - decimals));
      }),
    );
  });

  test("reads what JSON prints of a number, and what PostgreSQL prints of an amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n), (units) => {
        expect(readDecimal(decimalOf(units))).toBe(units);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (count) => {
        const number = count / 1e9;
        expect(readDecimal(String(number))).toBe(unitsOf(number));
      }),
    );
  });

  test("with an exponent and a shift is the same as with its point moved", () => {
    expect(readDecimal("1.5e-07", 6)).toBe(readDecimal("0.15"));
    expect(readDecimal("2.5E-6", 6)).toBe(readDecimal("2.5"));
    expect(readDecimal("1e+1")).toBe(readDecimal("10"));
    expect(readDecimal(".5")).toBe(readDecimal("0.5"));
    expect(readDecimal("5.")).toBe(readDecimal("5"));
  });

  test("of more decimals is rounded half-even", () => {
    expect(["0.0000000005", "0.0000000015", "0.00000000050000001", "1e-99"].map((text) => readDecimal(text))).toEqual([
      0n,
      2n,
      1n,
      0n,
    ]);
  });

  test.each(["", ".", "e5", "-1", "+1", "1,5", "0x10", "NaN", "Infinity", "1 ", "1e1000"])("%j is none", (text) => {
    expect(readDecimal(text)).toBeUndefined();
  });
});

describe("a whole number in a text", () => {
  test.each([
    ["0", 0],
    ["8192", 8192],
    ["1e3", 1000],
    ["1.0", 1],
    ["20E-1", 2],
  ])("%s", (text, number) => {
    expect(readWholeNumber(text)).toBe(number);
  });

  test.each(["", ".", "1.5", "1e-1", "-1", "+1", "0x10", " 1", "Infinity"])("%j is none", (text) => {
    expect(readWholeNumber(text)).toBeUndefined();
  });
});
