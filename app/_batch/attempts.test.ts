import { expect, test } from "vitest";
import { toldOf } from "./attempts";

test.each([
  ["one attempt", [["a", 3]], 3, ["a"]],
  [
    "one that changed nothing after one that did",
    [
      ["a", 3],
      ["b", 0],
    ],
    3,
    ["a"],
  ],
  [
    "one that did after one that changed nothing",
    [
      ["a", 0],
      ["b", 2],
    ],
    2,
    ["b"],
  ],
  [
    "two that changed keys",
    [
      ["a", 3],
      ["b", 2],
    ],
    5,
    ["a", "b"],
  ],
  ["none that did", [["a", 0]], 0, []],
] as const)("%s", (_, made, count, requestIds) => {
  expect(toldOf(made.map(([requestId, count]) => ({ requestId, count })))).toEqual({ count, requestIds });
});
