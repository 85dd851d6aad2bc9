import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { limitChanges, limitsOf } from "./apply";
import { relativeChange, setOrChanged } from "./relative";
import {
  atLeastOneLimit,
  LIMIT_NAMES,
  type LimitPatch,
  type Limits,
  limitFields,
  limitValues,
  optionalLimits,
} from "./schema";
import { summarizeLimits } from "./summary";

const patchSchema = z.object(optionalLimits).refine(...atLeastOneLimit);
const limitsSchema = z.object(limitValues);

const amount = fc.double({ min: 1e-9, max: 1e15, noNaN: true }).map((value) => limitFields.budget.parse(value));
const date = fc
  .date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const values = {
  budget: amount,
  expiry_date: date,
  daily_limit: amount,
  monthly_limit: amount,
  input_price_limit: amount,
  output_price_limit: amount,
};
const patch = fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<LimitPatch>;
const limits = fc.record(
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.option<string | number>(value)])),
) as unknown as fc.Arbitrary<Limits>;

describe("limitChanges", () => {
  test("an omitted limit stays as it is", () => {
    fc.assert(
      fc.property(limits, patch, fc.constantFrom("clear" as const, "keep" as const), (current, sent, omittedExpiry) => {
        const after = { ...current, ...limitChanges(sent, { omittedExpiry }) };
        for (const name of LIMIT_NAMES) {
          if (sent[name] !== undefined) expect(after[name]).toBe(sent[name]);
          else if (name !== "expiry_date") expect(after[name]).toBe(current[name]);
        }
      }),
    );
  });

  test("an omitted expiry date is cleared on one key, and stays in a batch", () => {
    expect(limitChanges({ budget: 1 }, { omittedExpiry: "clear" })).toEqual({ budget: 1, expiry_date: null });
    expect(limitChanges({ budget: 1 }, { omittedExpiry: "keep" })).toEqual({ budget: 1 });
  });

  test("an amount that changes from what it is is a change", () => {
    const change = { budget: { multiply: 2 }, daily_limit: undefined };
    expect(limitChanges({ monthly_limit: 1, change }, { omittedExpiry: "keep" })).toEqual({
      budget: { multiply: 2 },
      monthly_limit: 1,
    });
  });

  test("0 is a change", () => {
    expect(limitChanges({ daily_limit: 0 }, { omittedExpiry: "keep" })).toEqual({ daily_limit: 0 });
  });
});

describe("limitsOf", () => {
  test("what was not sent is unset", () => {
    fc.assert(
      fc.property(patch, (sent) => {
        const initial = limitsOf(sent);
        expect(Object.keys(initial).sort()).toEqual([...LIMIT_NAMES].sort());
        for (const name of LIMIT_NAMES) expect(initial[name]).toBe(sent[name] ?? null);
      }),
    );
  });
});

describe("the schema", () => {
  test("nothing but a finite number from 0 to 1e15 is an amount: nothing is coerced", () => {
    const other = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.integer()),
      fc.object(),
      fc.integer({ min: 0 }).map(String),
      fc.double({ max: -Number.MIN_VALUE, noNaN: true }),
      fc.double({ min: 1.0000000000000002e15, noNaN: true }),
      fc.constant(Number.NaN),
    );
    fc.assert(
      fc.property(other, (value) => {
        expect(limitFields.budget.safeParse(value).success).toBe(false);
      }),
    );
  });

  test("every amount it accepts survives JSON and its own check unchanged", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (value) => {
        const accepted = limitFields.budget.parse(value);
        expect(limitFields.budget.parse(JSON.parse(JSON.stringify(accepted)))).toBe(accepted);
      }),
    );
  });

  test("every day of the calendar from year 1000 to 9999 is a date, and no other text", () => {
    fc.assert(
      fc.property(date, (day) => {
        expect(limitFields.expiry_date.parse(day)).toBe(day);
      }),
    );
    const text = fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/));
    fc.assert(
      fc.property(text, (value) => {
        const day = new Date(`${value}T00:00:00Z`);
        const isDay =
          /^[1-9]\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
        expect(limitFields.expiry_date.safeParse(value).success).toBe(isDay);
      }),
    );
  });

  test("at least one of the six is required", () => {
    expect(patchSchema.safeParse({}).success).toBe(false);
    expect(patchSchema.safeParse({ bugdet: 1 }).success).toBe(false);
    for (const name of LIMIT_NAMES) {
      expect(patchSchema.safeParse({ [name]: name === "expiry_date" ? "2030-01-01" : 0 }).success).toBe(true);
    }
  });

  test("what is set can be unset in an answer, and in no request", () => {
    const unset = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null]));
    expect(limitsSchema.safeParse(unset).success).toBe(true);
    for (const name of LIMIT_NAMES) expect(patchSchema.safeParse({ [name]: null }).success).toBe(false);
  });
});

describe("a relative change", () => {
  test.each([
    ["multiply", 1e6, 1e6],
    ["multiply", 1e-12, 1e-12],
    ["add", 1e15, 1e15],
    ["add", -1e15, -1e15],
    ["add", 0, 0],
    ["add", 6e-10, 1e-9],
    ["add", -6e-10, -1e-9],
    ["add", 0.1234567885, 0.123456788],
    ["add", -0.1234567885, -0.123456788],
    ["at_least", 1e15, 1e15],
    ["at_most", 1e-9, 1e-9],
    ["at_most", 2.5e-9, 2e-9],
  ])("%s %d is stored as %d", (operation, number, stored) => {
    expect(relativeChange.parse({ [operation]: number })).toEqual({ [operation]: stored });
  });

  test.each([
    ["multiply", 0],
    ["multiply", -1],
    ["multiply", 1_000_000.0000000001],
    ["add", 1_000_000_000_000_000.1],
    ["add", -1_000_000_000_000_000.1],
    ["add", 5e-10],
    ["add", -5e-10],
    ["at_least", 0],
    ["at_least", -1],
    ["at_least", 5e-10],
    ["at_least", 1_000_000_000_000_000.1],
    ["at_most", 0],
    ["at_most", 1_000_000_000_000_000.1],
  ])("%s %d is refused", (operation, number) => {
    expect(relativeChange.safeParse({ [operation]: number }).success).toBe(false);
  });

  test("has exactly one operation", () => {
    for (const change of [{}, { add: undefined }, { add: 1, at_most: 5 }, { divide: 2 }, { add: 1, divide: 2 }]) {
      expect(relativeChange.safeParse(change).success, JSON.stringify(change)).toBe(false);
    }
  });

  test("is of a limit that is not sent by itself, not even as 0", () => {
    const [isAccepted] = setOrChanged;
    const change = { budget: { add: 1 }, daily_limit: undefined };
    expect(isAccepted({ daily_limit: 0, change })).toBe(true);
    expect(isAccepted({ budget: 1 })).toBe(true);
    expect(isAccepted({ budget: 0, change })).toBe(false);
  });

  test("is a limit parameter", () => {
    const [isAnySent] = atLeastOneLimit;
    expect([isAnySent({ change: { budget: { add: 1 } } }), isAnySent({ change: { budget: undefined } })]).toEqual([
      true,
      false,
    ]);
  });
});

describe("summarizeLimits", () => {
  test("states budget and expiry date always, daily and monthly limits when they are set, prices never", () => {
    fc.assert(
      fc.property(limits, (value) => {
        const text = summarizeLimits("sk-AbC1234", value);
        expect(text).toMatch(/^Limits of sk-AbC1234 updated: budget .+, expiry date .+\.$/);
        expect(text.includes("daily limit ")).toBe(value.daily_limit !== null);
        expect(text.includes("monthly limit ")).toBe(value.monthly_limit !== null);
        expect(text).not.toContain("price");
      }),
    );
  });

  test("the sentence of the decisions, to the letter", () => {
    const value = { ...limitsOf({}), budget: 100, expiry_date: "2026-12-31", daily_limit: 10, monthly_limit: 50 };
    expect(summarizeLimits("sk-AbC1234", value)).toBe(
      "Limits of sk-AbC1234 updated: budget 100.0000 yuan, expiry date 2026-12-31, daily limit 10.0000 yuan, monthly limit 50.0000 yuan.",
    );
  });
});
