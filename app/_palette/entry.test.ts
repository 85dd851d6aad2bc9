import { expect, test } from "vitest";
import { isFound } from "./entry";

test.each([
  ["Create key", "", "cr", true],
  ["Create key", "", "KEY create", true],
  ["Create key", "", "reate", false],
  ["创建密钥", "create new key", "密钥", true],
  ["创建密钥", "create new key", "new k", true],
  ["创建密钥", "create new key", "ew", false],
  ["Appearance: Dark", "theme appearance dark", "dark theme", true],
])("%s (%s), searched for %s: %s", (label, words, text, found) => {
  expect(isFound({ label, words }, text)).toBe(found);
});
