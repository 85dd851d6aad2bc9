import { describeFaults } from "@/server/input/expectation";
import type { Units } from "@/server/limits/units";
import { numberOf, parseJson } from "@/server/underflow";
import { readDecimal, readWholeNumber } from "../decimal-text";
import { MAX_MODEL_NAME_LENGTH, SKIP_REASONS, type Skipped } from "../schema";
import { identityOf, type Tariff } from "../tariff";
import { checkDraft, faultAt, type ImportDefaults, MOST_ENTRIES, type ReadFile, tooManyEntries } from "./draft";

type Reason = Omit<Skipped, "name">;

/** A price of a million tokens is 10 to the power of this times the price of one. */
const MILLION = 6;
/** The prices of a token that an entry may have. */
const TOKEN_PRICES = ["input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost"] as const;
/** Kinds of models that answer with no tokens. */
const WITHOUT_OUTPUT = ["embedding", "rerank", "moderation"];

/**
 * Reads prices from the JSON file of model prices that LiteLLM keeps: an object of names, with prices of a
 * single token. Entries that cannot be priced by tokens are left out, because the file is not of whoever imports it.
 */
export function readLitellm(content: string, defaults: ImportDefaults): ReadFile {
  const entries = parseObject(content);
  if (entries === undefined) {
    return {
      ok: false,
      issues: [faultAt([], "wrong_form", "must be the JSON of an object with a model for each name")],
    };
  }
  const named = Object.entries(entries);
  if (named.length > MOST_ENTRIES) return tooManyEntries("entries");
  const tariffs = new Map<string, Tariff>();
  const skipped: Skipped[] = [];
  for (const [name, entry] of named) {
    const read = readEntry(name, entry, defaults);
    if ("code" in read) skipped.push({ name: [...name].slice(0, MAX_MODEL_NAME_LENGTH).join(""), ...read });
    else if (tariffs.has(identityOf(read))) skipped.push({ name, ...because("same_name") });
    else tariffs.set(identityOf(read), read);
  }
  return { ok: true, tariffs: [...tariffs.values()], skipped };
}

function because(code: Exclude<Reason["code"], "refused">): Reason {
  return { code, reason: SKIP_REASONS[code] };
}

/** The price of an entry, or why it has none. */
function readEntry(name: string, entry: unknown, defaults: ImportDefaults): Tariff | Reason {
  if (name === "sample_spec") return because("describes_format");
  if (typeof entry !== "object" || entry === null) return because("not_an_object");
  const fields = entry as Record<string, unknown>;
  const unread = TOKEN_PRICES.find((name) => (fields[name] ?? null) !== null && perMillion(fields[name]) === undefined);
  if (unread) return { code: "refused", reason: `${unread}: must be a number of 0 or more` };
  const input = perMillion(fields.input_cost_per_token);
  const output = perMillion(fields.output_cost_per_token) ?? (isWithoutOutput(fields) ? 0n : undefined);
  if (input === undefined && output === undefined) return because("no_price");
  if (input === undefined) return because("no_input_price");
  if (output === undefined) return because("no_output_price");
  const cached = perMillion(fields.cache_read_input_token_cost);
  const isLost = TOKEN_PRICES.some((name) => perMillion(fields[name]) === 0n && numberOf(String(fields[name])) > 0);
  if (isLost) return because("rounds_to_zero");
  if (input === 0n && output === 0n && !cached && hasOtherPrice(fields)) return because("not_by_tokens");
  const checked = checkDraft({
    name,
    aliases: [],
    currency: defaults.currency,
    rate: defaults.rate === undefined ? undefined : readDecimal(String(defaults.rate)),
    inputPrice: input,
    outputPrice: output,
    cachedInputPrice: cached ?? null,
    maxOutputTokens: wholeNumber(fields.max_output_tokens) ?? wholeNumber(fields.max_tokens) ?? null,
    validFrom: defaults.validFrom,
  });
  return checked.ok ? checked.tariff : { code: "refused", reason: describeFaults(checked.issues) };
}

/** The price of a million tokens, from the shortest digits that name the price of one. */
function perMillion(price: unknown): Units | undefined {
  return typeof price === "number" || typeof price === "string" ? readDecimal(String(price), MILLION) : undefined;
}

function isWithoutOutput({ mode, output_cost_per_token: price }: Record<string, unknown>): boolean {
  return price === undefined && typeof mode === "string" && WITHOUT_OUTPUT.includes(mode);
}

/** Whether it costs by something else than tokens, for example by second or by image. */
function hasOtherPrice(fields: Record<string, unknown>): boolean {
  return Object.entries(fields).some(([field, value]) => field.includes("cost") && Number(value) > 0);
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" ? readWholeNumber(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

function parseObject(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(content.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
