import { daysBetween } from "@/components/day";
import { sumExactly } from "@/components/yuan";
import type { Series } from "@/server/usage/schema";

/** What one group or key spent, or all others together: yuan, by day. */
export interface SpendColumn {
  /** Of the group or the key; null: keys in no group, or all others together. */
  id: string | null;
  name: string | null;
  isRest: boolean;
  /** As many as there are days. */
  spent: number[];
  total: number;
}

/** Spend by day and by group or key. The chart, the table and the file all show this. */
export interface SpendTable {
  /** Every day of the range, `YYYY-MM-DD`. */
  days: string[];
  /** Those that spent most first. */
  columns: SpendColumn[];
  /** What was spent in all, by day. */
  totals: number[];
  total: number;
}

/** Puts the answer of the server into rows of days. Days without spend are 0. */
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
