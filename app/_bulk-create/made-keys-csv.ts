import { decimalText } from "@/components/yuan";
import { BYTE_ORDER_MARK, csvLine } from "@/server/csv";
import { LIMIT_NAMES, type Limits } from "@/server/limits/schema";

/** A new key with its value. */
export interface MadeKey extends Limits {
  name: string;
  apikey: string;
  /** The name of its group; empty: none. */
  group: string;
}

/** New keys as a CSV file. Amounts are in yuan, prices in yuan per million tokens. */
export function madeKeysCsv(keys: readonly MadeKey[]): string {
  const lines = keys.map((key) =>
    csvLine([
      key.name,
      key.group,
      key.apikey,
      ...LIMIT_NAMES.map((name) => {
        const value = key[name];
        return typeof value === "number" ? decimalText(value) : (value ?? "");
      }),
    ]),
  );
  return BYTE_ORDER_MARK + csvLine(["name", "group", "apikey", ...LIMIT_NAMES]) + lines.join("");
}
