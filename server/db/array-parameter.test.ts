import { expect, test } from "vitest";
import { arrayParameter } from "./array-parameter";

test("plain values need no quotes", () => {
  expect(arrayParameter(["sk-Ab_1", "6920a1f0", "-12.500000000", 600, true, null, "2026-11-21"])).toBe(
    "{sk-Ab_1,6920a1f0,-12.500000000,600,true,NULL,2026-11-21}",
  );
  expect(arrayParameter([])).toBe("{}");
});

test.each(["", "NULL", "null", "a b", "a,b", "{", "}", "é", "'", "a\n"])("%j gets quotes", (value) => {
  expect(arrayParameter(["a", value])).toBe(`{a,"${value}"}`);
});

test("a quote and a backslash are escaped", () => {
  expect(arrayParameter(['a"b', "a\\b"])).toBe('{"a\\"b","a\\\\b"}');
});

test("bytes are hexadecimal digits", () => {
  expect(arrayParameter([Buffer.from([0, 171, 255])])).toBe('{"\\\\x00abff"}');
});
