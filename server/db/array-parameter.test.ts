import { expect, test } from "vitest";
import { arrayParameter } from "./array-parameter";

test("plain values are the text of an array", () => {
  expect(arrayParameter(["sk-Ab_1", "6920a1f0", "-12.500000000", 600, true, null, "2026-11-21"])).toBe(
    "{sk-Ab_1,6920a1f0,-12.500000000,600,true,NULL,2026-11-21}",
  );
  expect(arrayParameter([])).toBe("{}");
});

test.each(["", "NULL", "null", "a b", 'a"b', "a\\b", "a,b", "{", "}", "é", "'", "a\n"])("%j is left to pg", (value) => {
  expect(arrayParameter(["a", value])).toEqual(["a", value]);
});
