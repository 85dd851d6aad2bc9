import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_AMOUNT, roundAmount } from "./amount";
import { amountOf, decimalOf, SAFE_UNITS, unitsOf, unitsOfDecimal } from "./units";

const accepted = fc.double({ min: 0, max: MAX_AMOUNT, noNaN: true }).map(roundAmount);
const short = fc.nat(10 ** 9).map((billionths) => billionths / 1e9);
const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });

test.each([
  [0, 0n],
  [1, 1_000_000_000n],
  [0.1, 100_000_000n],
  [1e-9, 1n],
  [33.333333333, 33_333_333_333n],
  [4503599.627370497, 4_503_599_627_370_497n],
  [8500000.000000002, 8_500_000_000_000_002n],
  [999999999999999.9, 999_999_999_999_999_900_000_000n],
  [1e15, 10n ** 24n],
])("%d yuan are %d units", (amount, expected) => {
  expect(unitsOf(amount)).toBe(expected);
  expect(amountOf(expected)).toBe(amount);
});

test("every accepted amount comes back as the same number", () => {
  fc.assert(
    fc.property(fc.oneof(accepted, short), (amount) => {
      expect(amountOf(unitsOf(amount))).toBe(amount);
    }),
  );
});

test("where a unit is hardly more than the error of a multiplication, it still counts", () => {
  const large = fc.bigInt({ min: 2n ** 50n, max: BigInt(SAFE_UNITS) });
  fc.assert(
    fc.property(large, fc.constantFrom(1n, -1n), (amount, sign) => {
      expect(unitsOf(Number(decimalOf(sign * amount)))).toBe(sign * amount);
      expect(amountOf(sign * amount)).toBe(Number(decimalOf(sign * amount)));
    }),
    { numRuns: 1_000 },
  );
});

test("an amount of at most 15 digits has the units of these digits", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.nat(9), (digits, zeros) => {
      const expected = digits * 10n ** BigInt(zeros);
      expect(unitsOf(Number(decimalOf(expected)))).toBe(expected);
    }),
  );
});

test("a decimal number is read and written exactly", () => {
  fc.assert(
    fc.property(units, (amount) => {
      expect(unitsOfDecimal(decimalOf(amount))).toBe(amount);
      expect(amountOf(amount)).toBe(Number(decimalOf(amount)));
    }),
  );
  expect(["0", "-12.5", "7.000000001", "100"].map(unitsOfDecimal)).toEqual([
    0n,
    -12_500_000_000n,
    7_000_000_001n,
    100_000_000_000n,
  ]);
});
