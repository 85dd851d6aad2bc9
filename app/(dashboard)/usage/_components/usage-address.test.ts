import { expect, test } from "vitest";
import { monthBefore, rangeOf } from "./usage-address";

const own = { from: "", to: "" };

test.each([
  ["today", "2026-03-31", "2026-03-31", "2026-03-31"],
  ["7", "2026-03-02", "2026-02-24", "2026-03-02"],
  ["month", "2026-03-31", "2026-03-01", "2026-03-31"],
  ["last-month", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["last-month", "2026-01-01", "2025-12-01", "2025-12-31"],
] as const)("%s on %s: from %s to %s", (range, today, from, to) => {
  expect(rangeOf({ range, ...own }, today)).toEqual({ from, to });
});

test.each([
  ["2026-11-22", "2026-10-01", "2026-10-22"],
  ["2026-03-31", "2026-02-01", "2026-02-28"],
  ["2028-03-29", "2028-02-01", "2028-02-29"],
  ["2026-01-01", "2025-12-01", "2025-12-01"],
])("this month on %s stands beside %s to %s", (today, from, to) => {
  expect(monthBefore({ range: "month" }, today)).toEqual({ from, to });
});

test("no other range has a month beside it", () => {
  expect(monthBefore({ range: "30" }, "2026-11-22")).toBeUndefined();
});
