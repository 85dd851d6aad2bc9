import { BYTE_ORDER_MARK, csvLine } from "../csv";
import type { ExactTotal } from "./total-queries";

/** The columns of a file with what groups or keys spent. Amounts are in yuan with all decimals. */
const HEADS = {
  group: ["group_id", "group_name", "captures", "spent"],
  key: ["apikey_id", "name", "group_id", "group_name", "captures", "spent"],
} as const;

/** How the file calls the keys in no group. */
const NO_GROUP = "(no group)";

/** Totals as lines of a CSV file. The first part of the file begins with the names of the columns. */
export function totalsText(by: "group" | "key", totals: readonly ExactTotal[], isFirst: boolean): string {
  const head = isFirst ? BYTE_ORDER_MARK + csvLine(HEADS[by]) : "";
  return head + totals.map((total) => csvLine(by === "group" ? groupLine(total) : keyLine(total))).join("");
}

function groupLine({ id, name, captures, spent }: ExactTotal): string[] {
  return [id ?? "", name ?? NO_GROUP, captures, spent];
}

function keyLine({ id, name, group_id, group_name, captures, spent }: ExactTotal): string[] {
  return [id ?? "", name ?? "", group_id ?? "", group_name ?? "", captures, spent];
}
