import type { SpendColumn, SpendTable } from "@/app/_spend/spend-table";
import { decimalText } from "@/components/yuan";
import { BYTE_ORDER_MARK, csvLine } from "@/server/csv";
import type { UsageBy } from "@/server/usage/schema";

/** Spend as a CSV file. Each day is a line; amounts are in yuan with all decimals. */
export function csvOf({ days, columns, totals }: SpendTable, by: UsageBy): string {
  const head = ["day", "total", ...columns.map((column) => headOf(column, by))];
  const lines = days.map((day, index) => [
    day,
    decimalText(totals[index] ?? 0),
    ...columns.map(({ spent }) => decimalText(spent[index] ?? 0)),
  ]);
  return BYTE_ORDER_MARK + [head, ...lines].map(csvLine).join("");
}

/** Names of keys need not be unique, so the id follows the name. */
function headOf({ id, name, isRest }: SpendColumn, by: UsageBy): string {
  if (isRest) return "(all others)";
  if (name === null) return by === "model" ? "(no model)" : "(no group)";
  return by === "key" ? `${name} (${id})` : name;
}
