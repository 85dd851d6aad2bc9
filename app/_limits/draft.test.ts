import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Limits, limitFields } from "@/server/limits/schema";
import {
  ceilingsOfDraft,
  changedLimits,
  draftOf,
  EMPTY_DRAFT,
  faultOf,
  faultsOf,
  limitsOfDraft,
  patchOfEdit,
  patchOfNew,
} from "./draft";

const UNSET = limitsOfDraft(EMPTY_DRAFT);

const amount = fc.double({ min: 1e-9, max: 1e15, noNaN: true }).map((value) => limitFields.budget.parse(value));
const limits = fc.record({
  budget: fc.option(amount),
  expiry_date: fc.constantFrom(null, "2030-01-31"),
  daily_limit: fc.option(amount),
  monthly_limit: fc.option(fc.constantFrom(0, 5)),
  input_price_limit: fc.option(amount),
  output_price_limit: fc.option(amount),
}) as fc.Arbitrary<Limits>;

test("every limit that can stand on a key can stand in the fields, and comes back unchanged", () => {
  fc.assert(
    fc.property(limits, (value) => {
      const draft = draftOf(value);
      expect(faultsOf(draft)).toEqual({});
      const back = limitsOfDraft(draft);
      for (const [name, amount] of Object.entries(value)) expect(back[name as keyof Limits] ?? 0).toEqual(amount || 0);
    }),
  );
});

describe("faults", () => {
  test.each([
    ["12.5", undefined],
    ["0", undefined],
    ["0.000000001", undefined],
    [" 7 ", undefined],
    ["", "empty"],
    ["abc", "notNumber"],
    ["1,000", "notNumber"],
    ["1e3", "notNumber"],
    ["-1", "negative"],
    ["1000000000000001", "tooLarge"],
    ["0.0000000001", "tooSmall"],
  ])("%j", (text, fault) => {
    expect(faultOf("budget", text)).toBe(fault);
  });

  test("a date is one of the calendar", () => {
    expect(faultOf("expiry_date", "2026-02-30")).toBe("notDate");
    expect(faultOf("expiry_date", "2026-02-28")).toBeUndefined();
    expect(faultOf("expiry_date", null)).toBeUndefined();
    expect(faultOf("expiry_date", "")).toBe("notDate");
  });
});

describe("what is sent", () => {
  test("of a new key: what is on", () => {
    expect(patchOfNew({ ...EMPTY_DRAFT, budget: "10", expiry_date: "2030-01-31" })).toEqual({
      budget: 10,
      expiry_date: "2030-01-31",
    });
  });

  test("is what the server stores: nine decimals, half-even", () => {
    expect(patchOfNew({ ...EMPTY_DRAFT, budget: "0.30000000000000004", daily_limit: "1.0000000025" })).toEqual({
      budget: 0.3,
      daily_limit: 1.000000002,
    });
  });

  test("of an edit: an amount that is turned off is 0, one that was unset stays unset", () => {
    const current = { ...UNSET, budget: 5, daily_limit: 1, expiry_date: "2030-01-31" };
    expect(patchOfEdit({ ...draftOf(current), budget: null }, current)).toEqual({
      budget: 0,
      daily_limit: 1,
      expiry_date: "2030-01-31",
    });
  });

  test("of an edit that only clears the expiry date: no limit changes", () => {
    const current = { ...UNSET, expiry_date: "2030-01-31" };
    expect(patchOfEdit(EMPTY_DRAFT, current)).toEqual({ budget: 0 });
  });
});

test("what a key gets that it has not yet: neither what stays, nor what is taken away", () => {
  const current = { ...UNSET, budget: 5, daily_limit: 1, monthly_limit: 2, expiry_date: "2030-01-31" };
  const draft = { ...draftOf(current), budget: "5.0", daily_limit: null, monthly_limit: "3", output_price_limit: "24" };
  expect(changedLimits(draft, current)).toEqual({ monthly_limit: 3, output_price_limit: 24 });
  expect(changedLimits({ ...draft, output_price_limit: "0" }, current)).toEqual({ monthly_limit: 3 });
});

test("ceilings are known unless one of them is no price", () => {
  const draft = { ...EMPTY_DRAFT, budget: "none", input_price_limit: "8" };
  expect(ceilingsOfDraft(draft)).toEqual({ input_price_limit: 8, output_price_limit: null });
  expect(ceilingsOfDraft({ ...draft, output_price_limit: "-1" })).toBeUndefined();
  expect(ceilingsOfDraft({ ...draft, input_price_limit: "" })).toBeUndefined();
});

test("an amount is written in plain digits, and a blank is no amount", () => {
  const amounts = { ...UNSET, budget: 1e-9, daily_limit: 1e-7, monthly_limit: 999999999999999.9 };
  const { budget, daily_limit, monthly_limit } = draftOf(amounts);
  expect([budget, daily_limit, monthly_limit]).toEqual(["0.000000001", "0.0000001", "999999999999999.9"]);
  expect(faultOf("budget", " ")).toBe("empty");
});
