import { decimalText } from "@/components/yuan";
import { BYTE_ORDER_MARK, csvLine } from "@/server/csv";
import type { Key } from "@/server/keys/schema";
import { AMOUNT_NAMES } from "@/server/limits/schema";

const COLUMNS = [
  "apikey_id",
  "name",
  "status",
  "group_name",
  ...AMOUNT_NAMES,
  "expiry_date",
  "spent",
  "spent_today",
  "spent_this_month",
  "held",
  "last_used_at",
  "created_at",
] as const satisfies (keyof Key)[];

/** The first line of the file. Amounts are in yuan, prices in yuan per million tokens, times in UTC. */
export const CSV_HEAD = BYTE_ORDER_MARK + csvLine(COLUMNS);

/** Keys as lines of a CSV file. */
export function csvLines(keys: readonly Key[]): string {
  return keys.map((key) => csvLine(COLUMNS.map((column) => cellText(key, column)))).join("");
}

function cellText(key: Key, column: (typeof COLUMNS)[number]): string {
  const value = key[column];
  if (value === null) return "";
  if (column === "created_at" || column === "last_used_at") {
    return new Date(Number(value) * 1000).toISOString().replace(".000Z", "Z");
  }
  return typeof value === "number" ? decimalText(value) : value;
}
