import { expect, test } from "vitest";
import { faultOf } from "./usage";

test.each([
  ["error: unknown option '--mail'\n(Did you mean --email?)", "--mail: unknown option; did you mean --email?"],
  ["error: unknown option '--colour'", "--colour: unknown option"],
  ["error: unknown command 'acount'\n(Did you mean account?)", "acount: unknown command; did you mean account?"],
  ["error: option '--email <address>' argument missing", "email: required"],
  ["error: missing required argument 'FILE'", "FILE: required"],
  ["error: too many arguments for 'backup'. Expected 1 argument but got 2.", /^too many words/],
  ["error: something new", "something new"],
])("%j", (message, expected) => {
  expect(faultOf({ message })).toMatch(expected);
});
