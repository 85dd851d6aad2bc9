import { daysBetween } from "@/components/day";
import { sumExactly } from "@/components/yuan";
import type { Series } from "@/server/usage/schema";

/** What one group, one key, or all other groups or keys spent, in yuan by day. */
export interface SpendColumn {
  /** Id of the group or the key; `null` for keys in no group, and for all others together. */
  id: string | null;
  name: string | null;
  isRest: boolean;
  /** One amount for each day of the table. */
  spent: number[];
  total: number;
}

/** Spend by day and by group or key. The chart, the table and the CSV file show it. */
export interface SpendTable {
  /** Every day of the range, `YYYY-MM-DD`. */
  days: string[];
  /** Sorted by their total, largest first. */
  columns: SpendColumn[];
  /** The sum of all columns, by day. */
  totals: number[];
  total: number;
}

/** Arranges the answer of the server by day. A day without spend has the amount 0. */
export function tabulate(series: readonly Series[], { from, to }: { from: string; to: string }): SpendTable {
  const days = daysBetween(from, to);
  const columns = series.map(({ id, name, is_rest, days: spentDays }) => {
    const byDay = new Map(spentDays.map(({ day, spent }) => [day, spent]));
    const spent = days.map((day) => byDay.get(day) ?? 0);
    return { id, name, isRest: is_rest, spent, total: sumExactly(spent) };
  });
  const totals = days.map((_, index) => sumExactly(columns.map(({ spent }) => spent[index] ?? 0)));
  return { days, columns, totals, total: sumExactly(totals) };
}

/** The same table with the `shown` largest columns. All others are one column at the end. */
export function keepLargest(table: SpendTable, shown: number): SpendTable {
  const named = table.columns.filter(({ isRest }) => !isRest).slice(0, shown);
  const others = table.columns.filter((column) => !named.includes(column));
  if (others.length === 0) return table;
  const spent = table.days.map((_, index) => sumExactly(others.map((column) => column.spent[index] ?? 0)));
  return { ...table, columns: [...named, { id: null, name: null, isRest: true, spent, total: sumExactly(spent) }] };
}
