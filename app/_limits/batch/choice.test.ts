import { expect, test } from "vitest";
import { faultsOfChoice, type LimitChoice, NO_CHOICE, patchOfChoice } from "./choice";

const choose = (ticked: LimitChoice["ticked"], draft: Partial<LimitChoice["draft"]>): LimitChoice => ({
  ticked,
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

test("only what is ticked can be wrong", () => {
  expect(faultsOfChoice(choose(new Set(), { budget: "x" }))).toEqual({});
  expect(faultsOfChoice(choose(new Set(["budget", "daily_limit", "expiry_date"]), { budget: "x" }))).toEqual({
    budget: "notNumber",
    daily_limit: "empty",
    expiry_date: "notDate",
  });
  expect(faultsOfChoice(choose(new Set(["budget"]), { budget: null }))).toEqual({});
});
