import { expect, test } from "vitest";
import { nextPath } from "./next-path";

test.each([
  ["/groups?search=a#b", "/groups?search=a#b"],
  [undefined, "/overview"],
  [["/groups", "/overview"], "/overview"],
  ["", "/overview"],
  ["groups", "/overview"],
  ["https://evil.example/", "/overview"],
  ["//evil.example/", "/overview"],
  ["/\\evil.example/", "/overview"],
  ["/\t/evil.example/", "/overview"],
  ["/.//evil.example/", "/overview"],
  ["javascript:alert(1)", "/overview"],
])("%j leads to %s", (asked, path) => {
  expect(nextPath(asked)).toBe(path);
});
