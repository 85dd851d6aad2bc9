import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberOf, parseJson } from "./underflow";

const SMALLEST = Number.MIN_VALUE;

describe("a number that JavaScript reads as 0", () => {
  test.each([
    ["1e-324", SMALLEST],
    ["-1e-324", -SMALLEST],
    ["1E-400", SMALLEST],
    ["20.5e-0400", SMALLEST],
    [`0.${"0".repeat(330)}1`, SMALLEST],
    [`0.${"0".repeat(225)}1e-99`, SMALLEST],
    [`0.${"0".repeat(330)}1e+5`, SMALLEST],
    [`0.${"0".repeat(330)}1E5`, SMALLEST],
    ["0", 0],
    ["-0", -0],
    ["0e-400", 0],
    ["0E-400", 0],
    ["0.000", 0],
    ["0e5", 0],
    ["5e-324", SMALLEST],
    ["1e-9", 1e-9],
    ["12.5", 12.5],
  ])("%s", (text, number) => {
    expect(numberOf(text)).toBe(number);
    expect(parseJson(text)).toBe(number);
    expect(parseJson(`{"a": [${text},1e-999]}`)).toEqual({ a: [number, SMALLEST] });
  });

  test("a text stays as it is", () => {
    for (const value of ["1e-400", '\\"1e-400', 'say "1e-400" twice', `${"0".repeat(330)}1`, '"', "\\"]) {
      expect(parseJson(`{${JSON.stringify(value)}:${JSON.stringify(value)},"small":1e-400}`)).toEqual({
        [value]: value,
        small: SMALLEST,
      });
    }
  });

  test("other JSON stays as it is", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(parseJson(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  test("what is no JSON is refused", () => {
    for (const text of ["1e-400.", "01e-400", "--1e-400", "1e-400e1", '"1e-400', "1.e-400", "1e-400 1", ".1e-400"]) {
      expect(() => parseJson(text), text).toThrow(SyntaxError);
    }
  });
});
