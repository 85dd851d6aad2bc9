import { expect, test } from "vitest";
import { ceilingsOfChoice, faultsOfChoice, type LimitChoice, NO_CHOICE, patchOfChoice, type Way } from "./choice";

const choose = (
  ticked: LimitChoice["ticked"],
  draft: Partial<LimitChoice["draft"]>,
  ways: Partial<LimitChoice["ways"]> = {},
): LimitChoice => ({
  ticked,
  ways: { ...NO_CHOICE.ways, ...ways },
  draft: { ...NO_CHOICE.draft, ...draft },
});

test("what is ticked is sent, and nothing else", () => {
  expect(patchOfChoice(NO_CHOICE)).toEqual({});
  expect(patchOfChoice(choose(new Set(["budget"]), { budget: "12.5", daily_limit: "3" }))).toEqual({ budget: 12.5 });
  expect(patchOfChoice(choose(new Set(["expiry_date"]), { expiry_date: "2030-01-31" }))).toEqual({
    expiry_date: "2030-01-31",
  });
});

test("unlimited is sent as 0, like a typed 0", () => {
  expect(patchOfChoice(choose(new Set(["budget", "daily_limit"]), { budget: null, daily_limit: "0" }))).toEqual({
    budget: 0,
    daily_limit: 0,
  });
});

test.each<[Way, string, object]>([
  ["raise", "20", { multiply: 1.2 }],
  ["raise", "0.1", { multiply: 1.001 }],
  ["raise", "250", { multiply: 3.5 }],
  ["lower", "12.5", { multiply: 0.875 }],
  ["lower", "99.999", { multiply: 0.00001 }],
  ["multiply", "2", { multiply: 2 }],
  ["atLeast", "10.5", { at_least: 10.5 }],
  ["atMost", "10", { at_most: 10 }],
])("%s %s is sent as %j", (way, text, change) => {
  const choice = choose(new Set(["budget", "daily_limit"]), { budget: text, daily_limit: "3" }, { budget: way });
  expect(faultsOfChoice(choice)).toEqual({});
  expect(patchOfChoice(choice)).toEqual({ daily_limit: 3, change: { budget: change } });
});

test.each<[Way, string, string]>([
  ["raise", "", "empty"],
  ["raise", "x", "notNumber"],
  ["raise", "10%", "notNumber"],
  ["raise", "0", "notPercent"],
  ["raise", "100000000", "notPercent"],
  ["lower", "-", "notNumber"],
  ["lower", "-5", "notPercent"],
  // It would leave 0, which means no limit.
  ["lower", "100", "notPercent"],
  ["multiply", "0", "notFactor"],
  ["multiply", "1000001", "notFactor"],
  ["atLeast", "-1", "negative"],
  ["atMost", "0", "notPositive"],
])("%s %s is wrong: %s", (way, text, fault) => {
  const choice = choose(new Set(["budget"]), { budget: text }, { budget: way });
  expect(faultsOfChoice(choice)).toEqual({ budget: fault });
  // A dialog asks for it while the number is typed.
  expect(patchOfChoice(choice)).toHaveProperty("change.budget");
});

test("only what is ticked can be wrong", () => {
  expect(faultsOfChoice(choose(new Set(), { budget: "x" }))).toEqual({});
  expect(faultsOfChoice(choose(new Set(["budget", "daily_limit", "expiry_date"]), { budget: "x" }))).toEqual({
    budget: "notNumber",
    daily_limit: "empty",
    expiry_date: "notDate",
  });
  expect(faultsOfChoice(choose(new Set(["budget"]), { budget: null }))).toEqual({});
});

test("ceilings that are set show what they allow, at most where one of them stays as it is", () => {
  const of = (ticked: LimitChoice["ticked"], output: string | null, way: Way = "set") =>
    ceilingsOfChoice(
      choose(ticked, { input_price_limit: "8", output_price_limit: output }, { input_price_limit: way }),
    );
  const both = new Set(["input_price_limit", "output_price_limit"] as const);
  expect(of(new Set(["budget"]), "24")).toBeUndefined();
  expect(of(new Set(["input_price_limit"]), "24", "raise")).toBeUndefined();
  expect(of(both, null)).toEqual({ ceilings: { input_price_limit: 8, output_price_limit: null }, isAtMost: false });
  expect(of(both, "24", "atMost")).toMatchObject({ ceilings: { output_price_limit: 24 }, isAtMost: true });
  expect(of(both, "")).toEqual({ ceilings: undefined, isAtMost: false });
});
