import { expect, test } from "vitest";
import { limitFields } from "@/server/limits/schema";
import { type MadeKey, madeKeysCsv } from "./made-keys-csv";

const unset = Object.fromEntries(Object.keys(limitFields).map((name) => [name, null]));

test("each key is a line with its value and limits; a name that looks like a formula is guarded", () => {
  const keys = [
    { ...unset, name: "=1+1", group: "a, b", apikey: "sk-1", budget: 1e-9, expiry_date: "2030-12-31" },
    { ...unset, name: "plain", group: "", apikey: "sk-2", daily_limit: 0 },
  ] as MadeKey[];
  const [head, first, second, end] = madeKeysCsv(keys).split("\r\n");
  expect(head).toBe(
    "\uFEFFname,group,apikey,budget,expiry_date,daily_limit,monthly_limit,input_price_limit,output_price_limit",
  );
  expect(first).toBe(`"'=1+1","a, b",sk-1,0.000000001,2030-12-31,,,,`);
  expect([second, end]).toEqual(["plain,,sk-2,,,0,,,", ""]);
});
