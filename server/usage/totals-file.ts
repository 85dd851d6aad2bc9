import { BYTE_ORDER_MARK, csvLine } from "../csv";
import type { ExactModelTotal, ExactTotal } from "./total-queries";

/** The columns of a file with what groups, keys or models spent. Amounts are in yuan with all decimals. */
const HEADS = {
  group: ["group_id", "group_name", "captures", "spent"],
  key: ["apikey_id", "name", "group_id", "group_name", "captures", "spent"],
  model: ["model", "captures", "spent", "input_tokens", "cached_input_tokens", "output_tokens"],
} as const;

/** How the file calls the keys in no group, and the captures without a model. */
const NO_GROUP = "(no group)";
const NO_MODEL = "(no model)";

/** Totals as lines of a CSV file. The first part of the file begins with the names of the columns. */
export function totalsText(by: "group" | "key", totals: readonly ExactTotal[], isFirst: boolean): string {
  const head = isFirst ? BYTE_ORDER_MARK + csvLine(HEADS[by]) : "";
  return head + totals.map((total) => csvLine(by === "group" ? groupLine(total) : keyLine(total))).join("");
}

/** The same by model, whole. Tokens that are not known are left empty. */
export function modelTotalsText(totals: readonly ExactModelTotal[]): string {
  const lines = totals.map(({ name, captures, spent, ...tokens }) =>
    csvLine([
      name ?? NO_MODEL,
      captures,
      spent,
      tokens.input_tokens ?? "",
      tokens.cached_input_tokens ?? "",
      tokens.output_tokens ?? "",
    ]),
  );
  return BYTE_ORDER_MARK + [csvLine(HEADS.model), ...lines].join("");
}

function groupLine({ id, name, captures, spent }: ExactTotal): string[] {
  return [id ?? "", name ?? NO_GROUP, captures, spent];
}

function keyLine({ id, name, group_id, group_name, captures, spent }: ExactTotal): string[] {
  return [id ?? "", name ?? "", group_id ?? "", group_name ?? "", captures, spent];
}
