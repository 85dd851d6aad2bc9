import type { core } from "zod";
import { rule } from "@/server/input/fault";
import { amountOf, type Units, unitsOf } from "@/server/limits/units";
import { modelInput } from "../schema";
import { type Tariff, tariffOf } from "../tariff";

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
export type ReadFile =
  | { ok: true; tariffs: Tariff[]; skipped: { name: string; reason: string }[] }
  | { ok: false; issues: core.$ZodIssue[] };

export type Checked = { ok: true; tariff: Tariff } | { ok: false; issues: readonly core.$ZodIssue[] };

/** Checks a price of a file by the rules of one that is sent. */
export function checkDraft(draft: DraftPrice): Checked {
  const { cachedInputPrice: cached } = draft;
  const { success, data, error } = modelInput.safeParse({
    name: draft.name,
    aliases: draft.aliases,
    currency: draft.currency,
    ...(draft.rate !== undefined && { rate: amountOf(draft.rate) }),
    input_price: amountOf(draft.inputPrice),
    output_price: amountOf(draft.outputPrice),
    cached_input_price: cached === null ? null : amountOf(cached),
    max_output_tokens: draft.maxOutputTokens,
    valid_from: draft.validFrom,
  });
  if (!success) return { ok: false, issues: error.issues };
  const { inputPrice, outputPrice, rate = unitsOf(1) } = draft;
  // The numbers of the rules are near enough; those that are kept are exact.
  return { ok: true, tariff: { ...tariffOf(data), rate, inputPrice, outputPrice, cachedInputPrice: cached } };
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
