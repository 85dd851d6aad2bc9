import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KeyState, obstacleOfKey } from "../authorizations/judge";
import { unitsOfDecimal } from "../limits/units";
import { allowedModels, boundedPrices, type Ceilings, ceilingsOf, isAllowed } from "./allowed";
import { changeOfCeilings, type KeysWithCeilings } from "./ceiling-change";

// Few values, so that a price often equals its ceiling.
const price = fc.bigInt(0n, 6n);
const prices = fc.record({ input: price, output: price, cachedInput: price });
const ceiling = fc.option(fc.bigInt(1n, 6n));
const ceilings: fc.Arbitrary<Ceilings> = fc.record({ input_price_limit: ceiling, output_price_limit: ceiling });

/** A key that only its ceilings can refuse. */
function keyWith(its: Ceilings): KeyState {
  const window = { limit: null, spent: 0n, held: 0n };
  return {
    isAccountDisabled: false,
    isDisabled: false,
    isExpired: false,
    ceilings: its,
    openHolds: { count: 0, most: 1 },
    windows: { budget: window, daily_limit: window, monthly_limit: window },
    resetsAt: { daily_limit: 0, monthly_limit: 0, open_holds: null },
  };
}

describe("the models that ceilings allow", () => {
  test("are those whose calls the judge lets through", () => {
    fc.assert(
      fc.property(prices, ceilings, (of, its) => {
        const obstacle = obstacleOfKey(keyWith(its), {
          amount: 0n,
          isModelUnknown: false,
          isAmountUnknown: false,
          ...boundedPrices(of),
        });
        expect(isAllowed(of, its)).toBe(obstacle === undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test("no call of an allowed model pays more than a ceiling for any of its tokens", () => {
    fc.assert(
      fc.property(prices, ceilings, (of, its) => {
        fc.pre(isAllowed(of, its));
        const { input_price_limit: input, output_price_limit: output } = its;
        if (input !== null) expect(of.input <= input && of.cachedInput <= input).toBe(true);
        if (output !== null) expect(of.output <= output).toBe(true);
      }),
    );
  });

  test("what comes and what goes are the differences between before and after", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ prices })), ceilings, ceilings, (models, after, before) => {
        const then = allowedModels(models, before);
        const { allowed, notAllowed, coming, going } = allowedModels(models, after, before);
        const without = <Item>(items: Item[], others: Item[]) => items.filter((item) => !others.includes(item));
        expect([...allowed, ...notAllowed]).toHaveLength(models.length);
        expect(coming).toEqual(without(allowed, then.allowed));
        expect(going).toEqual(without(then.allowed, allowed));
      }),
    );
  });

  test("a price that is equal to its ceiling is allowed, to the last of nine decimals; 0 and unset are no ceiling", () => {
    const of = (input: string) => ({ input: unitsOfDecimal(input), output: 1n, cachedInput: 0n });
    const its = ceilingsOf({ input_price_limit: 8, output_price_limit: 0 });
    expect(its).toEqual({ input_price_limit: unitsOfDecimal("8"), output_price_limit: null });
    const ofOutput = ceilingsOf({ input_price_limit: 0, output_price_limit: 0.1 });
    expect(ofOutput).toEqual({ input_price_limit: null, output_price_limit: unitsOfDecimal("0.1") });
    expect(isAllowed(of("8"), its)).toBe(true);
    expect(isAllowed(of("8.000000001"), its)).toBe(false);
    expect(isAllowed(of("1000000"), ceilingsOf({ input_price_limit: null, output_price_limit: null }))).toBe(true);
  });
});

describe("a change of the ceilings of many keys", () => {
  const groups = fc.array(
    fc.record({
      before: ceilings,
      after: ceilings,
      keyCount: fc.integer({ min: 1, max: 9 }),
    }) satisfies fc.Arbitrary<KeysWithCeilings>,
    { minLength: 1 },
  );

  test("adds up what it means for each key", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(prices), groups, async (all, keys) => {
        const models = all.map((of, i) => ({ name: `model ${String(i).padStart(3, "0")}`, prices: of }));
        const counts = keys.map(({ after }) => allowedModels(models, after).allowed.length);
        const keysOf = (which: "coming" | "going") =>
          models
            .map((model) => ({
              name: model.name,
              key_count: keys
                .filter(({ before, after }) => allowedModels(models, after, before)[which].includes(model))
                .reduce((sum, { keyCount }) => sum + keyCount, 0),
            }))
            .filter(({ key_count }) => key_count > 0);
        const change = await changeOfCeilings(models, keys);
        expect(change).toMatchObject({
          total: models.length,
          allowed: { least: Math.min(...counts), most: Math.max(...counts) },
          coming_count: keysOf("coming").length,
          going_count: keysOf("going").length,
        });
        const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
        expect([...change.coming].sort(byName)).toEqual(keysOf("coming"));
        expect([...change.going].sort(byName)).toEqual(keysOf("going"));
      }),
    );
  });

  test("names the first hundred models, those of most keys first", async () => {
    const models = Array.from({ length: 150 }, (_, i) => ({
      name: `m${String(i).padStart(3, "0")}`,
      prices: { input: BigInt(i), output: 0n, cachedInput: 0n },
    }));
    const without = { input_price_limit: null, output_price_limit: null };
    const of = (input: bigint, keyCount: number) => ({
      before: without,
      after: { ...without, input_price_limit: input },
      keyCount,
    });
    const { allowed, going, going_count, coming } = await changeOfCeilings(models, [of(20n, 3), of(100n, 2)]);
    expect([allowed, going_count, coming]).toEqual([{ least: 21, most: 101 }, 129, []]);
    expect(going).toHaveLength(100);
    expect([going[0], going[49]]).toEqual([
      { name: "m101", key_count: 5 },
      { name: "m021", key_count: 3 },
    ]);
  });
});
