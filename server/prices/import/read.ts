import type { core } from "zod";
import { countOf } from "@/server/input/count";
import { rule } from "@/server/input/fault";
import { FROM_EVER, type IMPORT_FORMATS, MAX_PRICES, type Skipped } from "../schema";
import { readCsv } from "./csv";
import { faultAt, type ReadFile } from "./draft";
import { readLitellm } from "./litellm";

const MAX_REASONS = 3;

export interface ImportOptions {
  format: (typeof IMPORT_FORMATS)[number];
  currency?: string | undefined;
  rate?: number | undefined;
  valid_from?: string | undefined;
}

/** Reads the prices of a file. */
export function readPrices(content: string, { format, currency, rate, valid_from }: ImportOptions): ReadFile {
  const validFrom = valid_from ?? FROM_EVER;
  const defaults = { currency: currency ?? (format === "litellm" ? "USD" : "CNY"), rate, validFrom };
  const wrong = format === "litellm" ? faultOfRate(defaults) : undefined;
  if (wrong) return { ok: false, issues: [wrong] };
  const read = format === "litellm" ? readLitellm(content, defaults) : readCsv(content, defaults);
  if (!read.ok) return read;
  const count = read.tariffs.length;
  if (count === 0) {
    const sentence = `has no price of a model${reasonsOf(read.skipped)}`;
    return { ok: false, issues: [faultAt([], "no_prices", sentence, { left_out: read.skipped.length })] };
  }
  if (count > MAX_PRICES) {
    const sentence = `has ${count} prices; a catalogue may have at most ${MAX_PRICES}`;
    return { ok: false, issues: [faultAt([], "too_many", sentence, { most: MAX_PRICES })] };
  }
  return read;
}

/** Why all entries of a file are left out, in the words behind its fault. A file of many entries has a few reasons. */
function reasonsOf(skipped: readonly Skipped[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const words = [...counts].slice(0, MAX_REASONS).map(([reason, n]) => `${countOf(n, "entry", "entries")} (${reason})`);
  return words.length === 0 ? "" : `; left out: ${words.join(", ")}${counts.size > MAX_REASONS ? ", …" : ""}`;
}

/** Each price of such a file has this rate, so that the fault is named once. */
function faultOfRate({ currency, rate }: { currency: string; rate: number | undefined }): core.$ZodIssue | undefined {
  const fault =
    currency !== "CNY" && rate === undefined
      ? rule("rate_missing", `is required: yuan for one ${currency}`)
      : currency === "CNY" && (rate ?? 1) !== 1
        ? rule("rate_of_yuan", "must be 1 or left out, because the prices are in yuan")
        : undefined;
  return fault && { code: "custom", path: ["rate"], message: fault.error, params: fault.params, input: undefined };
}
