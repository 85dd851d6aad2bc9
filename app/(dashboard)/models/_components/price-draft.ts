import { amountOf as amountOfText } from "@/app/_limits/draft";
import { decimalText } from "@/components/yuan";
import { type FaultCode, faultsOf as faultsOfInput } from "@/server/input/fault";
import { amountOf, unitsOf } from "@/server/limits/units";
import { priceInYuan } from "@/server/prices/cost";
import { FROM_EVER, type ModelEntry, type ModelInput, modelInput, type PriceFields } from "@/server/prices/schema";

/** The currency of prices that need no rate. */
export const YUAN = "CNY";

export const PRICE_NAMES = ["input_price", "cached_input_price", "output_price"] as const;

export type PriceName = (typeof PRICE_NAMES)[number];

/** A price as it is typed. An empty text means that nothing is given. */
export interface PriceDraft extends Record<PriceName, string> {
  name: string;
  /** Separated by commas or line breaks. A name that has one of these stands in quotation marks. */
  aliases: string;
  currency: string;
  /** Yuan for one unit of the currency. */
  rate: string;
  max_output_tokens: string;
  /** `YYYY-MM-DD`; empty: from ever on. */
  valid_from: string;
}

export type PriceField = keyof PriceDraft;

/** What can be wrong with a field. Each has its sentence in the messages. */
export type PriceFault =
  | "empty"
  | "notNumber"
  | "notWhole"
  | "notPositive"
  | "negative"
  | "tooLarge"
  | "tooSmall"
  | "tooLong"
  | "tooMany"
  | "patternAsAlias"
  | "notCurrency"
  | "notDate"
  | "refused";

const { shape } = modelInput;

const NUMBERS = ["rate", ...PRICE_NAMES, "max_output_tokens"] as const satisfies PriceField[];

const FAULTS: Partial<Record<FaultCode, PriceFault>> = {
  empty: "empty",
  rate_missing: "empty",
  // A number that is left out.
  wrong_type: "empty",
  not_whole: "notWhole",
  not_positive: "notPositive",
  too_small: "negative",
  too_large: "tooLarge",
  rounds_to_zero: "tooSmall",
  too_long: "tooLong",
  too_many: "tooMany",
  pattern_as_alias: "patternAsAlias",
  not_currency: "notCurrency",
  not_date: "notDate",
  not_calendar_day: "notDate",
  year_too_early: "notDate",
};

export const EMPTY_DRAFT: PriceDraft = {
  name: "",
  aliases: "",
  currency: YUAN,
  rate: "",
  input_price: "",
  cached_input_price: "",
  output_price: "",
  max_output_tokens: "",
  valid_from: "",
};

/** A price that is there, ready to be edited. */
export function draftOf(model: ModelEntry): PriceDraft {
  const { name, aliases, currency, rate, valid_from } = model;
  const text = (number: number | null) => (number === null ? "" : decimalText(number));
  return {
    name,
    aliases: aliasesText(aliases),
    currency,
    rate: currency === YUAN ? "" : text(rate),
    input_price: text(model.input_price),
    cached_input_price: text(model.cached_input_price),
    output_price: text(model.output_price),
    max_output_tokens: text(model.max_output_tokens),
    valid_from: valid_from === FROM_EVER ? "" : valid_from,
  };
}

/** The price in the parameters of the API. What is not a number is left out, and `faultsOf` says so. */
export function inputOf(draft: PriceDraft): ModelInput {
  const number = (field: (typeof NUMBERS)[number]) => amountOfText(draft[field]);
  const isYuan = currencyOf(draft) === YUAN;
  const rate = isYuan ? undefined : number("rate");
  return {
    name: draft.name,
    aliases: aliasesOf(draft.aliases),
    currency: draft.currency,
    ...(rate !== undefined && { rate }),
    input_price: number("input_price") as number,
    output_price: number("output_price") as number,
    cached_input_price: number("cached_input_price") ?? null,
    max_output_tokens: number("max_output_tokens") ?? null,
    valid_from: draft.valid_from === "" ? FROM_EVER : draft.valid_from,
  };
}

/** What the API is told of the price that another one is to replace. */
export function beforeOf({
  aliases,
  currency,
  rate,
  input_price,
  output_price,
  cached_input_price,
  max_output_tokens,
}: PriceFields): ModelInput["before"] {
  return { aliases, currency, rate, input_price, output_price, cached_input_price, max_output_tokens };
}

/** What is wrong with each field, by the server's own rules. The result is empty if nothing is wrong. */
export function faultsOf(draft: PriceDraft): Partial<Record<PriceField, PriceFault>> {
  const faults: Partial<Record<PriceField, PriceFault>> = {};
  const issues = modelInput.safeParse(inputOf(draft)).error?.issues ?? [];
  for (const { parameter, code } of faultsOfInput(issues)) {
    const [field = ""] = parameter.split(".");
    faults[field as PriceField] ??= FAULTS[code] ?? "refused";
  }
  for (const field of NUMBERS) {
    const isUsed = field !== "rate" || currencyOf(draft) !== YUAN;
    if (isUsed && draft[field].trim() !== "" && amountOfText(draft[field]) === undefined) faults[field] = "notNumber";
  }
  // With a wrong rate, nobody can tell what a price is in yuan.
  for (const name of PRICE_NAMES) if (faults.rate && faults[name] === "tooSmall") delete faults[name];
  // The least number of tokens is 1.
  if (faults.max_output_tokens === "negative") faults.max_output_tokens = "notPositive";
  return faults;
}

/** What a typed price is in yuan, to the ninth decimal as the server rounds it; undefined while it cannot be told. */
export function yuanOf(draft: PriceDraft, name: PriceName): number | undefined {
  const price = shape.input_price.safeParse(amountOfText(draft[name])).data;
  const rate = currencyOf(draft) === YUAN ? 1 : shape.rate.safeParse(amountOfText(draft.rate)).data;
  if (price === undefined || rate === undefined) return undefined;
  return amountOf(priceInYuan(unitsOf(price), unitsOf(rate)));
}

/** Names as they are typed. */
function aliasesText(aliases: readonly string[]): string {
  return aliases.map((alias) => (/[,\n，、]|^"/.test(alias) ? `"${alias.replaceAll('"', '""')}"` : alias)).join(", ");
}

/** The typed names. A quotation mark inside of quotation marks is doubled. */
function aliasesOf(text: string): string[] {
  return [...text.matchAll(/\s*"((?:[^"]|"")+)"\s*(?=[,\n，、]|$)|[^,\n，、]+/g)]
    .map(([plain, quoted]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    .filter((alias) => alias !== "");
}

/** The code of the currency that is typed. */
export function currencyOf({ currency }: Pick<PriceDraft, "currency">): string {
  return currency.trim().toUpperCase();
}
