import { describe, expect, test } from "vitest";
import type { CheckedLimit } from "./check/schema";
import { NO_DETAILS } from "./refusal";
import { changeSentence, refusalSentence } from "./sentences";

const refused = (code: Parameters<typeof refusalSentence>[0], amount: number, details: object) =>
  refusalSentence(code, amount, { refusal: { ...NO_DETAILS, ...details } });

describe("amounts keep the digits that matter", () => {
  test.each([
    [2.5, 1, "2.5000 yuan: 1.0000 yuan are left."],
    [0.00018, 0.00002, "0.00018 yuan: 0.00002 yuan are left."],
    [0.000000002, 0.000000001, "0.000000002 yuan: 0.000000001 yuan are left."],
    [5, -0.00003, "5.0000 yuan: -0.00003 yuan are left."],
    [1.00002, 0.5, "1.0000 yuan: 0.5000 yuan are left."],
    [0, -30, "0.0000 yuan: -30.0000 yuan are left."],
    // With four decimals, both would be the same.
    [1.00002, 1.00001, "1.00002 yuan: 1.00001 yuan are left."],
    [1_000_000.000000001, 1_000_000, "1000000.000000001 yuan: 1000000.0000 yuan are left."],
  ])("%d asked, %d left", (amount, available, end) => {
    expect(refused("budget", amount, { limit: 5, available })).toBe(`The total budget does not allow ${end}`);
  });
});

describe("a price", () => {
  test.each([
    ["input", 9, 8, "price of 9.0000 yuan per million tokens is above the key's ceiling of 8.0000."],
    ["output", 0.00018, 0.0001, "price of 0.00018 yuan per million tokens is above the key's ceiling of 0.0001."],
    ["input", 8.000000001, 8, "price of 8.000000001 yuan per million tokens is above the key's ceiling of 8.0000."],
    ["output", null, 8, "price is unknown, and the key has a ceiling of 8.0000 yuan per million tokens."],
  ] as const)("%s: %d above %d", (kind, price, ceiling, end) => {
    expect(refused(`${kind}_price_limit`, 1, { price, ceiling })).toBe(`The model's ${kind} ${end}`);
  });
});

test("open authorizations are counted", () => {
  expect(refused("open_holds", 1, { limit: 1000, available: 0 })).toBe(
    "Too many authorizations of the key are open: 1000 of at most 1000.",
  );
  expect(refused("open_holds", 1, { limit: 3, available: -2 })).toMatch(/: 5 of at most 3\.$/);
});

describe("nothing left", () => {
  const daily: CheckedLimit = {
    code: "daily_limit",
    passes: false,
    limit: 0.05,
    spent: 0.03,
    held: 0.02,
    available: 0,
    needed: 0.050000001,
  };
  test("says of which limit, and above what it must be raised", () => {
    const refusal = { ...NO_DETAILS, limit: 0.05, available: 0 };
    expect(refusalSentence("daily_limit", 1e-9, { refusal }, "left")).toBe(
      "Nothing is left of the limit of the day of 0.0500 yuan.",
    );
    expect(changeSentence(daily, "left")).toBe("Raise the limit per day above 0.0500 yuan.");
  });

  test("a change is never rounded down", () => {
    expect(changeSentence(daily)).toBe("Raise the limit per day from 0.0500 to 0.050000001 yuan.");
    expect(changeSentence({ ...daily, needed: 12.00001 })).toMatch(/ to 12\.00001 yuan\.$/);
    expect(changeSentence({ ...daily, needed: 12.00006 })).toMatch(/ to 12\.0001 yuan\.$/);
    expect(changeSentence({ ...daily, needed: 1.5e-7 })).toMatch(/ to 0\.00000015 yuan\.$/);
    expect(changeSentence({ ...daily, spent: 12, held: 0.00004 }, "left")).toMatch(/ above 12\.00004 yuan\.$/);
    expect(changeSentence({ ...daily, spent: 12, held: 0.00006 }, "left")).toMatch(/ above 12\.0001 yuan\.$/);
  });
});
