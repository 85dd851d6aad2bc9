import { describe, expect, test } from "vitest";
import type { ModelEntry } from "@/server/prices/schema";
import { draftOf, EMPTY_DRAFT, faultsOf, inputOf, yuanOf } from "./price-draft";

const DRAFT = { ...EMPTY_DRAFT, name: "example", input_price: "0.15", output_price: "0.6" };
const DOLLARS = { ...DRAFT, currency: "usd", rate: "7.2" };

describe("a typed price", () => {
  test("is sent with what is given, in yuan without a rate", () => {
    expect(inputOf({ ...DRAFT, rate: "7.2", aliases: "one, two，three\n" })).toEqual({
      ...{ name: "example", aliases: ["one", "two", "three"], currency: "CNY", valid_from: "1970-01-01" },
      ...{ input_price: 0.15, output_price: 0.6, cached_input_price: null, max_output_tokens: null },
    });
    expect(inputOf(DOLLARS)).toMatchObject({ currency: "usd", rate: 7.2 });
  });

  test("of a model is the model again", () => {
    const model = {
      ...{ name: "example", aliases: ["one"], currency: "USD", rate: 7.2, valid_from: "2026-12-01" },
      ...{ input_price: 1e-7, output_price: 2.5, cached_input_price: null, max_output_tokens: 4096 },
    };
    expect(inputOf(draftOf(model as unknown as ModelEntry))).toEqual(model);
    expect(draftOf({ ...model, valid_from: "1970-01-01" } as unknown as ModelEntry).valid_from).toBe("");
  });

  test.each([
    [["a,b", "c"], '"a,b", c'],
    [["通义，千问", "a、b"], '"通义，千问", "a、b"'],
    [['"quoted"', 'in"ch', 'both," "'], '"""quoted""", in"ch, "both,"" """'],
  ])("has other names with separators: %j", (aliases, text) => {
    const draft = draftOf({ ...inputOf(DRAFT), aliases } as unknown as ModelEntry);
    expect(draft.aliases).toBe(text);
    expect(inputOf(draft).aliases).toEqual(aliases);
  });

  test.each([
    ['a"b, c', ['a"b', "c"]],
    ['"a, b', ['"a', "b"]],
    [' "a, b" ,, "" ,c ', ["a, b", '""', "c"]],
    ['"a" b', ['"a" b']],
  ])("has the other names that are typed: %j", (text, aliases) => {
    expect(inputOf({ ...DRAFT, aliases: text }).aliases).toEqual(aliases);
  });

  test("is in yuan to the ninth decimal, and nothing while it cannot be told", () => {
    expect(yuanOf(DOLLARS, "input_price")).toBe(1.08);
    expect(yuanOf({ ...DOLLARS, rate: "7.18634" }, "output_price")).toBe(4.311804);
    expect(yuanOf(DRAFT, "input_price")).toBe(0.15);
    expect(yuanOf({ ...DRAFT, input_price: "0.1499999999999" }, "input_price")).toBe(0.15);
    expect(yuanOf({ ...DOLLARS, rate: "7.19999999999" }, "input_price")).toBe(1.08);
    expect(yuanOf(DOLLARS, "cached_input_price")).toBeUndefined();
    expect(yuanOf({ ...DOLLARS, rate: "" }, "input_price")).toBeUndefined();
    for (const wrong of ["-1", "0.0000000001", "9".repeat(400)]) {
      expect(yuanOf({ ...DOLLARS, input_price: wrong }, "input_price")).toBeUndefined();
    }
  });

  test.each([
    [{}, {}],
    [EMPTY_DRAFT, { name: "empty", input_price: "empty", output_price: "empty" }],
    [{ currency: "USD" }, { rate: "empty" }],
    [{ currency: "USD", rate: "0" }, { rate: "notPositive" }],
    [{ currency: "US", rate: "7" }, { currency: "notCurrency" }],
    [{ rate: "seven" }, {}],
    [
      { input_price: "1,5", output_price: "-1" },
      { input_price: "notNumber", output_price: "negative" },
    ],
    [{ cached_input_price: "1e16" }, { cached_input_price: "notNumber" }],
    [{ input_price: "10000000000000000" }, { input_price: "tooLarge" }],
    [{ output_price: "0.0000000001" }, { output_price: "tooSmall" }],
    [{ max_output_tokens: "1.5" }, { max_output_tokens: "notWhole" }],
    [{ max_output_tokens: "0" }, { max_output_tokens: "notPositive" }],
    [{ aliases: "gpt-*" }, { aliases: "patternAsAlias" }],
    [{ name: "x".repeat(201) }, { name: "tooLong" }],
    [{ valid_from: "0999-01-01" }, { valid_from: "notDate" }],
  ])("%j: %j", (change, faults) => expect(faultsOf({ ...DRAFT, ...change })).toEqual(faults));
});
