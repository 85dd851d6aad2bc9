import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAmount, MAX_AMOUNT, roundAmount, roundsToZero, toAllDecimals, toFourDecimals } from "./amount";

const amount = fc.double({ min: 0, max: MAX_AMOUNT, noNaN: true });
/** A number with nine decimals at most: a count of billionths of a yuan. */
const billionths = fc.integer({ min: 0, max: 999_999_999_999_999 });

/** A decimal text as an exact count of 10^-400, to judge results without floating point. */
function exact(value: number): bigint {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const shift = 400 + Number(exponent) - fraction.length;
  return BigInt(whole + fraction) * 10n ** BigInt(shift);
}

/** Amounts with few decimals, and the numbers next to them: what is rounded in a short way, and what is not. */
const nearFewDecimals = fc
  .tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 17 }), fc.integer({ min: -2, max: 2 }))
  .map(([count, decimals, steps]) => {
    const value = Number(`${count}e-${decimals}`);
    return Math.max(0, value + steps * value * Number.EPSILON * 0.6);
  });

/** The half-even rounding of the shortest decimal that names a number, as text, by the definition. */
function rounded(value: number, decimals: number): string {
  const unit = 10n ** BigInt(400 - decimals);
  const [count, rest] = [exact(value) / unit, exact(value) % unit];
  const isUp = 2n * rest > unit || (2n * rest === unit && count % 2n === 1n);
  const text = String(isUp ? count + 1n : count).padStart(decimals + 1, "0");
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

test.each([
  ["any amounts", amount],
  ["amounts of at most nine decimals", billionths.map((count) => Number(`${count}e-9`))],
  ["amounts near a few decimals", nearFewDecimals],
])("%s are rounded by the definition", (_, amounts) => {
  const check = (value: number) => {
    expect(roundAmount(value)).toBe(Number(rounded(value, 9)));
    expect(toFourDecimals(value)).toBe(rounded(value, 4));
  };
  fc.assert(fc.property(amounts, check), { numRuns: 5_000 });
});

describe("roundAmount", () => {
  test.each([
    [0, 0],
    [-0, 0],
    [0.1, 0.1],
    [1e15, 1e15],
    [1e-9, 1e-9],
    [5e-10, 0],
    [6e-10, 1e-9],
    [1.5e-9, 2e-9],
    [2.5e-9, 2e-9],
    [0.1234567885, 0.123456788],
    [0.1234567895, 0.12345679],
    [0.99999999951, 1],
  ])("%d → %d", (sent, rounded) => {
    expect(roundAmount(sent)).toBe(rounded);
  });

  test("is never further away than half of the last decimal", () => {
    fc.assert(
      fc.property(amount, (value) => {
        const difference = exact(roundAmount(value)) - exact(value);
        const half = 10n ** 391n / 2n;
        expect(difference <= half && -difference <= half).toBe(true);
      }),
    );
  });

  test("leaves alone what has nine decimals at most, and what it has rounded", () => {
    fc.assert(
      fc.property(billionths, (count) => {
        const value = Number(`${count}e-9`);
        expect(roundAmount(value)).toBe(value);
      }),
    );
    fc.assert(
      fc.property(amount, (value) => {
        expect(roundAmount(roundAmount(value))).toBe(roundAmount(value));
      }),
    );
  });

  test("keeps the order of amounts", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(roundAmount(Math.min(a, b))).toBeLessThanOrEqual(roundAmount(Math.max(a, b)));
      }),
    );
  });
});

describe("roundsToZero", () => {
  test("is true for positive amounts that would become 0, and for no other", () => {
    expect([0, -0, 1e-9, 6e-10, 1].map(roundsToZero)).toEqual([false, false, false, false, false]);
    expect([5e-10, 1e-10, Number.MIN_VALUE].map(roundsToZero)).toEqual([true, true, true]);
    fc.assert(
      fc.property(amount, (value) => {
        expect(roundsToZero(value)).toBe(value > 0 && roundAmount(value) === 0);
      }),
    );
  });
});

describe("toFourDecimals", () => {
  test.each([
    [0, "0.0000"],
    [100, "100.0000"],
    [1e15, "1000000000000000.0000"],
    [1e-9, "0.0000"],
    [1.00005, "1.0000"],
    [1.00015, "1.0002"],
    [0.99995, "1.0000"],
    [123456789012345.12, "123456789012345.1200"],
  ])("%d → %s", (value, text) => {
    expect(toFourDecimals(value)).toBe(text);
  });
});

describe("formatAmount", () => {
  test.each([
    [0, "0.0000"],
    [12.5, "12.5000"],
    [0.05, "0.0500"],
    [0.00018, "0.00018"],
    [0.000000001, "0.000000001"],
    [1.5e-7, "0.00000015"],
    [0.099999999, "0.099999999"],
    [0.123456789, "0.1235"],
    [1.00015, "1.0002"],
    [1e15, "1000000000000000.0000"],
  ])("%d → %s", (value, text) => {
    expect(formatAmount(value)).toBe(text);
  });

  test("of an amount with nine decimals at most, never reads as 0, nor wrong in four significant digits", () => {
    fc.assert(
      fc.property(billionths, (count) => {
        const value = Number(`${count}e-9`);
        const text = formatAmount(value);
        expect(text).toMatch(/^\d+\.\d{4,9}$/);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(value / 1_000);
      }),
    );
  });
});

describe("toAllDecimals", () => {
  test.each([
    [1e15, "1000000000000000.0000"],
    [999_999_999_999.5, "999999999999.5000"],
    [999_999_999_999.25, "999999999999.2500"],
    [4.00001, "4.00001"],
    [0, "0.0000"],
  ])("%d → %s", (value, text) => {
    expect(toAllDecimals(value)).toBe(text);
  });

  test("names the amount itself, with four decimals or more, and no 0 behind these", () => {
    fc.assert(
      fc.property(billionths, (count) => {
        const value = Number(`${count}e-9`);
        expect(Number(toAllDecimals(value))).toBe(value);
        expect(toAllDecimals(value)).toMatch(/^\d+\.\d{4}(\d*[1-9])?$/);
      }),
    );
  });
});
