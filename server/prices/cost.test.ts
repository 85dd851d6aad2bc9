import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unitsOfDecimal } from "../limits/units";
import { costOfEstimate, costOfUsage, priceInYuan } from "./cost";

const price = fc.bigInt(0n, 10n ** 24n);
const tokens = fc.nat(100_000_000);

describe("the cost of a call", () => {
  test("the hold is never below the capture of a usage within the estimate", () => {
    const call = fc.record({ input: price, output: price, cachedInput: price, most: tokens, mostOut: tokens });
    fc.assert(
      fc.property(call, fc.nat(), fc.nat(), fc.nat(), ({ most, mostOut, ...prices }, a, b, c) => {
        const inputTokens = a % (most + 1);
        const usage = { inputTokens, cachedInputTokens: b % (inputTokens + 1), outputTokens: c % (mostOut + 1) };
        expect(costOfUsage(prices, usage) <= costOfEstimate(prices, most, mostOut)).toBe(true);
      }),
    );
  });

  test("is exact to the last of nine decimals", () => {
    const prices = { input: unitsOfDecimal("0.8"), output: unitsOfDecimal("2"), cachedInput: unitsOfDecimal("0.16") };
    const usage = { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 301 };
    expect(costOfUsage(prices, usage)).toBe(unitsOfDecimal("0.001146"));
    expect(costOfEstimate(prices, 1, 0)).toBe(unitsOfDecimal("0.0000008"));
  });

  test("rounds a hold up and a capture half-even", () => {
    const prices = { input: unitsOfDecimal("0.0005"), output: 0n, cachedInput: 0n };
    const capture = (inputTokens: number) =>
      costOfUsage(prices, { inputTokens, cachedInputTokens: 0, outputTokens: 0 });
    expect([1, 2, 3, 5].map(capture)).toEqual([0n, 1n, 2n, 2n]);
    expect([1, 2, 3, 5].map((most) => costOfEstimate(prices, most, 0))).toEqual([1n, 1n, 2n, 3n]);
  });

  test("a price in a currency is rounded half-even to nine decimals of a yuan", () => {
    expect(priceInYuan(unitsOfDecimal("0.15"), unitsOfDecimal("7.2"))).toBe(unitsOfDecimal("1.08"));
    expect(priceInYuan(1n, unitsOfDecimal("0.5"))).toBe(0n);
    expect(priceInYuan(3n, unitsOfDecimal("0.5"))).toBe(2n);
  });
});
