import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultsOfPattern, namesOfLines, namesOfPattern, repeatedNames } from "./names";

test("names by lines: of every system, without empty lines and white space around", () => {
  expect(namesOfLines("a\n b c \r\n\r\n\td\re\n")).toEqual(["a", "b c", "d", "e"]);
  expect(namesOfLines(" \n ")).toEqual([]);
});

describe("a pattern", () => {
  test.each([
    ["worker-{n}", "9", "3", ["worker-9", "worker-10", "worker-11"]],
    ["{n:3}-工作", "99", "2", ["099-工作", "100-工作"]],
    ["a{n}b{n:2}", "1", "1", ["a1b01"]],
    ["x{n}", "0", "1", ["x0"]],
    ["{m}{n}", " 7 ", "1", ["{m}7"]],
  ])("%s from %s, %s names", (pattern, from, count, names) => {
    expect(faultsOfPattern({ pattern, from, count })).toEqual({});
    expect(namesOfPattern({ pattern, from, count })).toEqual(names);
  });

  test.each([
    ["worker", "1", "1", { pattern: "noPlace" }],
    ["worker-{n:0}", "1", "1", { pattern: "noPlace" }],
    ["{n}", "-1", "1", { from: "notFrom" }],
    ["{n}", "", "0", { from: "notFrom", count: "notCount" }],
    ["{n}", "1.5", "1001", { from: "notFrom", count: "notCount" }],
    ["{n}", "1", "1e2", { count: "notCount" }],
  ])("%s from %s, %s names: a fault", (pattern, from, count, faults) => {
    expect(faultsOfPattern({ pattern, from, count })).toEqual(faults);
  });

  test("makes as many names as are asked for, and no name twice", () => {
    const digits = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(fc.nat(999_999), fc.integer({ min: 1, max: 1000 }), digits, (from, count, width) => {
        const names = namesOfPattern({ pattern: `k{n:${width}}`, from: String(from), count: String(count) });
        expect(new Set(names).size).toBe(count);
        expect(names.every((name) => name.length > width)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test("repeated names are named once", () => {
  expect(repeatedNames(["a", "b", "a", "c", "a", "b"])).toEqual(["a", "b"]);
  expect(repeatedNames(["a", "A"])).toEqual([]);
});
