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

test("a time is told as one, also where the API has seconds, and an empty list as none", () => {
  const facts = {
    previous_value_until: 1795723618,
    made_at: "2026-11-26T19:06:55.000Z",
    applied: [],
    keys: 1795723618,
  };
  const lines = [
    "previous value until  2026-11-26T20:06:58.000Z",
    "made at               2026-11-26T19:06:55.000Z",
    "applied               none",
    "keys                  1795723618",
  ];
  expect(asWords(facts)).toBe(lines.join("\n"));
  expect(asTable([facts])).toContain("2026-11-26T20:06:58.000Z");
});
