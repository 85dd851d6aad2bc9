import { expect, test } from "vitest";
import { tabulate } from "@/app/_spend/spend-table";
import { csvOf } from "./csv";

const range = { from: "2026-02-28", to: "2026-03-01" };

test("a line for each day, with all decimals, and no cell that computes", () => {
  const series = [
    { id: "sk-AbC1234", name: "=1+1", is_rest: false, total: 1e-9, days: [{ day: "2026-02-28", spent: 1e-9 }] },
    { id: null, name: null, is_rest: true, total: 2.5, days: [{ day: "2026-03-01", spent: 2.5 }] },
  ];
  expect(csvOf(tabulate(series, range), "key")).toBe(
    '\uFEFFday,total,"\'=1+1 (sk-AbC1234)",(all others)\r\n' +
      "2026-02-28,0.000000001,0.000000001,0\r\n2026-03-01,2.5,0,2.5\r\n",
  );
});

test("a group is named alone, and keys in no group have words", () => {
  const series = [
    { id: "6920a1f0c3d4e5f60718293a", name: "Research", is_rest: false, total: 1, days: [] },
    { id: null, name: null, is_rest: false, total: 1, days: [] },
  ];
  expect(csvOf(tabulate(series, range), "group").split("\r\n")[0]).toBe("\uFEFFday,total,Research,(no group)");
});
