import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "@/server/keys/schema";
import { CSV_HEAD, csvLines } from "./csv";

const key: Key = {
  apikey_id: "sk-AbC1234",
  name: "production",
  is_default: false,
  status: "active",
  blocked_by: [],
  near_limits: [],
  group_id: null,
  group_name: null,
  budget: 12.5,
  expiry_date: "2030-01-31",
  daily_limit: null,
  monthly_limit: 0,
  input_price_limit: null,
  output_price_limit: null,
  spent: 0.000000001,
  spent_today: 0,
  spent_this_month: 12.5,
  held: 2,
  available: { budget: 9, daily: null, monthly: null },
  daily_resets_at: 1795276800,
  monthly_resets_at: 1796054400,
  last_used_at: null,
  created_at: 1795219200,
  version: 1,
};

test("a key is a line in the order of the head", () => {
  expect(CSV_HEAD).toMatch(/^\uFEFFapikey_id,name,status,group_name,budget,/);
  expect(csvLines([key])).toBe(
    "sk-AbC1234,production,active,,12.5,,0,,,2030-01-31,0.000000001,0,12.5,2,,2026-11-21T00:00:00Z\r\n",
  );
});

test.each([
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
  ["+1", '"\'+1"'],
  ["-1", '"\'-1"'],
  ["@SUM(A1)", '"\'@SUM(A1)"'],
  ["\tx", '"\'\tx"'],
  ["＝1", '"\'＝1"'],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
])("the name %j becomes %j", (name, field) => {
  expect(csvLines([{ ...key, name }]).split(",active,")[0]).toBe(`sk-AbC1234,${field}`);
});

test("no name begins a cell that a spreadsheet computes", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      const cell = csvLines([{ ...key, name }]).slice("sk-AbC1234,".length);
      expect(cell.replace(/^"/, "")).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});
