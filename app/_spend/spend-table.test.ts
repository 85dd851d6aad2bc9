import { expect, test } from "vitest";
import { keepLargest, tabulate } from "./spend-table";

const range = { from: "2026-02-27", to: "2026-03-01" };

test("every day of the range has its figures, added exactly", () => {
  const table = tabulate(
    [
      {
        id: "a",
        name: "A",
        is_rest: false,
        total: 0.3,
        days: [
          { day: "2026-02-27", spent: 0.1 },
          { day: "2026-03-01", spent: 0.2 },
        ],
      },
      { id: null, name: null, is_rest: true, total: 0.2, days: [{ day: "2026-02-27", spent: 0.2 }] },
    ],
    range,
  );
  expect(table).toEqual({
    days: ["2026-02-27", "2026-02-28", "2026-03-01"],
    columns: [
      { id: "a", name: "A", isRest: false, spent: [0.1, 0, 0.2], total: 0.3 },
      { id: null, name: null, isRest: true, spent: [0.2, 0, 0], total: 0.2 },
    ],
    totals: [0.3, 0, 0.2],
    total: 0.5,
  });
});

test("nothing spent is a table of zeros", () => {
  expect(tabulate([], range)).toMatchObject({ columns: [], totals: [0, 0, 0], total: 0 });
});

test("the largest keep their columns, and all others are one", () => {
  const series = [3, 2, 1].map((spent) => ({
    id: `${spent}`,
    name: `${spent}`,
    is_rest: false,
    total: spent,
    days: [{ day: "2026-02-28", spent: spent / 10 }],
  }));
  const rest = { id: null, name: null, is_rest: true, total: 0.05, days: [{ day: "2026-03-01", spent: 0.05 }] };
  const table = tabulate([...series, rest], range);
  expect(keepLargest(table, 2)).toEqual({
    ...table,
    columns: [...table.columns.slice(0, 2), { id: null, name: null, isRest: true, spent: [0, 0.1, 0.05], total: 0.15 }],
  });
  const whole = tabulate(series, range);
  expect(keepLargest(whole, 3)).toEqual(whole);
});
