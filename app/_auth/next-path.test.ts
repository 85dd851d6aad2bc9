import { expect, test } from "vitest";
import { nextPath } from "./next-path";

test.each([
  ["/groups?search=a#b", "/groups?search=a#b"],
  [undefined, "/keys"],
  [["/groups", "/keys"], "/keys"],
  ["", "/keys"],
  ["groups", "/keys"],
  ["https://evil.example/", "/keys"],
  ["//evil.example/", "/keys"],
  ["/\\evil.example/", "/keys"],
  ["/\t/evil.example/", "/keys"],
  ["/.//evil.example/", "/keys"],
  ["javascript:alert(1)", "/keys"],
])("%j leads to %s", (asked, path) => {
  expect(nextPath(asked)).toBe(path);
});
