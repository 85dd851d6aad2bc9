import { expect, test } from "vitest";
import { EMPTY_IMPORT, faultsOfImport, importOf } from "./import-draft";

const JSON_FILE = '\n {"example": {}}';
const CSV_FILE = "name,input_price,output_price\nexample,1,2";

test("the format follows from the text, and the currency from the format", () => {
  expect(importOf({ ...EMPTY_IMPORT, content: JSON_FILE, rate: "7.2" })).toMatchObject({
    ...{ format: "litellm", currency: "USD", rate: 7.2, valid_from: "1970-01-01", replace: false },
  });
  expect(importOf({ ...EMPTY_IMPORT, content: CSV_FILE, rate: "7.2" })).toEqual({
    ...{ format: "csv", content: CSV_FILE, currency: "CNY", valid_from: "1970-01-01", replace: false },
  });
});

test.each([
  [{}, { content: "noContent" }],
  [{ content: JSON_FILE }, { rate: "empty" }],
  [{ content: JSON_FILE, rate: "x" }, { rate: "notNumber" }],
  [{ content: JSON_FILE, rate: "0" }, { rate: "notPositive" }],
  [{ content: JSON_FILE, currency: "cny" }, {}],
  // Each line may have a rate of its own.
  [{ content: CSV_FILE, currency: "USD" }, {}],
  [{ content: CSV_FILE, currency: "U$" }, { currency: "notCurrency" }],
  [{ content: CSV_FILE, valid_from: "0999-01-01" }, { valid_from: "notDate" }],
])("%j: %j", (change, faults) => expect(faultsOfImport({ ...EMPTY_IMPORT, ...change })).toEqual(faults));
