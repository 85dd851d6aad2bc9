import { expect, test } from "vitest";
import { stepOfCode } from "./totp";

// The codes are the last six digits of those in RFC 6238, appendix B.
const SECRET = "12345678901234567890";

test.each([
  [59, "287082", 1],
  [1111111109, "081804", 37037036],
  [1111111111, "050471", 37037037],
  [1234567890, "005924", 41152263],
  [20000000000, "353130", 666666666],
])("at %i seconds, %s is the code of step %i", (seconds, code, step) => {
  expect(stepOfCode(SECRET, code, seconds * 1000)).toBe(step);
});

test.each([0, 1, 29_999])("a code is known one step before and after its own, and no longer: %i ms into each", (ms) => {
  const at = (step: number) => stepOfCode(SECRET, "081804", (37037036 + step) * 30_000 + ms);
  expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([undefined, 37037036, 37037036, 37037036, undefined]);
});

test("what is no code belongs to no step", () => {
  for (const code of ["", "000000", "287082 ", "0287082"]) expect(stepOfCode(SECRET, code, 59_000)).toBeUndefined();
});
