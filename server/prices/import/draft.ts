import type { core } from "zod";
import { rule } from "@/server/input/fault";
import { MAX_AMOUNT } from "@/server/limits/amount";
import { amountOf, type Units, unitsOf } from "@/server/limits/units";
import { MAX_PRICES, modelInput, type Skipped } from "../schema";
import { type Tariff, tariffOf } from "../tariff";

const MOST = unitsOf(MAX_AMOUNT);

/**
 * The most lines or entries of a file, also those that are left out. Each takes time on the one thread of the process: 400,000
 * stopped it for half a minute.
 */
export const MOST_ENTRIES = 2 * MAX_PRICES;

/** What counts for the prices of a file that say nothing of it themselves. */
export interface ImportDefaults {
  currency: string;
  /** Yuan for one unit of the currency; undefined: none was given. */
  rate: number | undefined;
  /** YYYY-MM-DD. */
  validFrom: string;
}

/** A price as it was read from a file, before its rules are checked. */
export interface DraftPrice {
  name: string;
  aliases: string[];
  currency: string;
  rate: Units | undefined;
  inputPrice: Units;
  outputPrice: Units;
  cachedInputPrice: Units | null;
  maxOutputTokens: number | null;
  validFrom: string;
}

/** What a file has: its prices, and what of it is left out; or its faults. */
export type ReadFile = { ok: true; tariffs: Tariff[]; skipped: Skipped[] } | { ok: false; issues: core.$ZodIssue[] };

export type Checked = { ok: true; tariff: Tariff } | { ok: false; issues: readonly core.$ZodIssue[] };

/** Checks a price of a file by the rules of one that is sent. */
export function checkDraft(draft: DraftPrice): Checked {
  const { cachedInputPrice: cached } = draft;
  const { success, data, error } = modelInput.safeParse({
    name: draft.name,
    aliases: draft.aliases,
    currency: draft.currency,
    ...(draft.rate !== undefined && { rate: judgedAs(draft.rate) }),
    input_price: judgedAs(draft.inputPrice),
    output_price: judgedAs(draft.outputPrice),
    cached_input_price: cached === null ? null : judgedAs(cached),
    max_output_tokens: draft.maxOutputTokens,
    valid_from: draft.validFrom,
  });
  if (!success) return { ok: false, issues: error.issues };
  const { inputPrice, outputPrice, rate = unitsOf(1) } = draft;
  // The numbers of the rules are near enough; those that are kept are exact.
  return { ok: true, tariff: { ...tariffOf(data), rate, inputPrice, outputPrice, cachedInputPrice: cached } };
}

/** The number that the rules judge. The nearest one to what is just above the highest amount would be the highest itself. */
function judgedAs(units: Units): number {
  return units > MOST ? Number.MAX_VALUE : amountOf(units);
}

/** A file that has more entries than are read. @param noun what it calls them: lines, entries. */
export function tooManyEntries(noun: string): ReadFile {
  const sentence = `has more than ${MOST_ENTRIES} ${noun}`;
  return { ok: false, issues: [faultAt([], "too_many_entries", sentence, { most: MOST_ENTRIES })] };
}

/** A fault at a place of the file. */
export function faultAt(
  path: readonly string[],
  code: Parameters<typeof rule>[0],
  sentence: string,
  values: Parameters<typeof rule>[2] = {},
): core.$ZodIssue {
  const { error: message, params } = rule(code, sentence, values);
  return { code: "custom", path: ["content", ...path], message, params, input: undefined };
}
