import type { Key } from "../../../../server/keys/schema";

const COLUMNS = [
  "apikey_id",
  "name",
  "status",
  "group_name",
  "budget",
  "daily_limit",
  "monthly_limit",
  "input_price_limit",
  "output_price_limit",
  "expiry_date",
  "created_at",
] as const satisfies (keyof Key)[];

/** Tells programs that the file is UTF-8, which some take for something else otherwise. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The first line of the file. Amounts are in yuan, prices in yuan per million tokens, moments in UTC. */
export const CSV_HEAD = `${BYTE_ORDER_MARK}${COLUMNS.join(",")}\r\n`;

/** Keys as lines of a CSV file (RFC 4180). */
export function csvLines(keys: readonly Key[]): string {
  return keys.map((key) => `${COLUMNS.map((column) => field(cellText(key, column))).join(",")}\r\n`).join("");
}

function cellText(key: Key, column: (typeof COLUMNS)[number]): string {
  if (column === "created_at") return new Date(key.created_at * 1000).toISOString().replace(".000Z", "Z");
  return String(key[column] ?? "");
}

/** Text that a spreadsheet would take for a formula gets an apostrophe before it: a name may come from anyone. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
