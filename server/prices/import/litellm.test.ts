import fc from "fast-check";
import { expect, test } from "vitest";
import { amountOf, type Units } from "@/server/limits/units";
import { pricesOf } from "../tariff";
import { readPrices } from "./read";

/** The digits of a number of at most 15, which a JSON number has exactly, and the power of ten that they are multiplied by. */
const price = fc.record({
  digits: fc.integer({ min: 1, max: 999_999_999 }),
  exponent: fc.integer({ min: -15, max: -6 }),
});

/** As JSON writes it: `15e-8`. */
const written = ({ digits, exponent }: { digits: number; exponent: number }) => `${digits}e${exponent}`;

/** The units of a million times the price, which has at most nine decimals. */
function perMillion({ digits, exponent }: { digits: number; exponent: number }): Units {
  return BigInt(digits) * 10n ** BigInt(exponent + 6 + 9);
}

test("a generated file equals exact decimal arithmetic, to the last of nine decimals", () => {
  // With a rate below 1, the smallest price would be 0 in yuan, and is refused.
  const rate = fc.integer({ min: 100, max: 99_999 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(price, price, price), { minLength: 1, maxLength: 20 }),
      rate,
      (entries, hundredths) => {
        const content = JSON.stringify(
          Object.fromEntries(
            entries.map(([input, output, cached], i) => [
              `model-${i}`,
              {
                input_cost_per_token: Number(written(input)),
                output_cost_per_token: Number(written(output)),
                cache_read_input_token_cost: Number(written(cached)),
              },
            ]),
          ),
        );
        const read = readPrices(content, { format: "litellm", rate: hundredths / 100 });
        if (!read.ok) throw new Error(JSON.stringify(read.issues));
        expect(read.skipped).toEqual([]);
        for (const [i, [input, output, cached]] of entries.entries()) {
          const tariff = read.tariffs[i];
          if (!tariff) throw new Error(`model-${i}`);
          expect([tariff.inputPrice, tariff.outputPrice, tariff.cachedInputPrice]).toEqual(
            [input, output, cached].map(perMillion),
          );
          // Half-even, computed another way: twice the remainder against the divisor.
          const product = perMillion(input) * BigInt(hundredths);
          const [whole, rest] = [product / 100n, product % 100n];
          const isUp = rest > 50n || (rest === 50n && whole % 2n === 1n);
          expect(pricesOf(tariff).input).toBe(isUp ? whole + 1n : whole);
        }
      },
    ),
  );
});

test("the digits count, not the binary fraction: 1.1e-06 per token is 1.1 per million", () => {
  const read = readPrices('{"m": {"input_cost_per_token": 1.1e-06, "output_cost_per_token": 3e-7}}', {
    format: "litellm",
    rate: 1,
    currency: "CNY",
  });
  if (!read.ok) throw new Error("refused");
  expect(read.tariffs.map(({ inputPrice, outputPrice }) => [amountOf(inputPrice), amountOf(outputPrice)])).toEqual([
    [1.1, 0.3],
  ]);
});

test("an entry that is left out is named with its first 200 characters, none of them cut", () => {
  const priced = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const content = JSON.stringify({ priced, [`a${"🦙".repeat(300)}`]: {} });
  const read = readPrices(content, { format: "litellm", rate: 7.2 });
  expect(read).toMatchObject({ ok: true, skipped: [{ name: `a${"🦙".repeat(199)}`, code: "no_price" }] });
});

test("of several entries with a name that is the same once it is stored, the first one counts, and the others are named", () => {
  const entryOf = (price: number) => ({ input_cost_per_token: price, output_cost_per_token: price });
  const content = JSON.stringify({ é: entryOf(1e-6), "é ": entryOf(2e-6), "e\u0301": entryOf(3e-6), f: entryOf(4e-6) });
  const read = readPrices(content, { format: "litellm", rate: 1, currency: "CNY" });
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  expect(read.tariffs.map(({ name, inputPrice }) => [name, amountOf(inputPrice)])).toEqual([
    ["é", 1],
    ["f", 4],
  ]);
  expect(read.skipped).toMatchObject([
    { name: "é ", code: "same_name" },
    { name: "e\u0301", code: "same_name" },
  ]);
});
