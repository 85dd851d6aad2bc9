import { expect, test } from "vitest";
import { asTable, asWords } from "./output";

test("facts stand below each other, with their names in words", () => {
  expect(asWords({ account_id: "a1", rows: 3, until: null, accounts: ["a", "b"] })).toBe(
    ["account id  a1", "rows        3", "until       -", "accounts    a, b"].join("\n"),
  );
});

test("rows stand in columns as wide as the longest value", () => {
  expect(
    asTable([
      { email: "a@example.com", keys: 1 },
      { email: "much-longer@example.com", keys: 20_000 },
    ]),
  ).toBe(["email                    keys", "a@example.com            1", "much-longer@example.com  20000"].join("\n"));
});
