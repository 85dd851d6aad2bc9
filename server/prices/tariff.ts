import { amountOf, amountOrNull, decimalOf, type Units, unitsOf } from "../limits/units";
import { priceInYuan, pricesAnswer, type TokenPrices } from "./cost";
import { FROM_EVER, type ModelInput, type PriceFields } from "./schema";

/** A price as a catalogue keeps it: in its currency, with the rate to yuan. Name and first day tell it from others. */
export interface Tariff {
  name: string;
  aliases: readonly string[];
  /** ISO 4217. */
  currency: string;
  /** Yuan for one unit of the currency. */
  rate: Units;
  /** Per million tokens, in the currency. */
  inputPrice: Units;
  outputPrice: Units;
  /** null: as `inputPrice`. */
  cachedInputPrice: Units | null;
  /** null: unknown. */
  maxOutputTokens: number | null;
  /** YYYY-MM-DD. */
  validFrom: string;
}

/** What a request says of a price, with what it is to replace. */
export function changeOf(model: ModelInput): Tariff & { base: Tariff | null | undefined } {
  const { name, valid_from, before } = model;
  return { ...tariffOf(model), base: before && tariffOf({ ...before, name, valid_from }) };
}

/** Fills what a request leaves out: the currency is yuan, the cached input costs as the other, and the price counts from ever on. */
export function tariffOf(model: ModelInput): Tariff {
  const { name, aliases = [], currency = "CNY", rate = 1, cached_input_price: cached = null } = model;
  return {
    name,
    aliases: [...new Set(aliases)].filter((alias) => alias !== name),
    currency,
    rate: unitsOf(rate),
    inputPrice: unitsOf(model.input_price),
    outputPrice: unitsOf(model.output_price),
    cachedInputPrice: cached === null ? null : unitsOf(cached),
    maxOutputTokens: model.max_output_tokens ?? null,
    validFrom: model.valid_from ?? FROM_EVER,
  };
}

/** What tells one price of a catalogue from the others. */
export function identityOf({ name, validFrom }: Pick<Tariff, "name" | "validFrom">): string {
  return `${validFrom} ${name}`;
}

/** The prices in yuan per million tokens. */
export function pricesOf({
  inputPrice,
  outputPrice,
  cachedInputPrice,
  rate,
}: Pick<Tariff, "inputPrice" | "outputPrice" | "cachedInputPrice" | "rate">): TokenPrices {
  return {
    input: priceInYuan(inputPrice, rate),
    output: priceInYuan(outputPrice, rate),
    cachedInput: priceInYuan(cachedInputPrice ?? inputPrice, rate),
  };
}

/** A price as answers and the history have it: plain JSON. */
export function fieldsOf(tariff: Tariff): PriceFields {
  return { ...ownFieldsOf(tariff), prices: pricesAnswer(pricesOf(tariff)) };
}

/** The same without what follows from it, the prices in yuan. */
function ownFieldsOf(tariff: Tariff): Omit<PriceFields, "prices"> {
  const { aliases, currency, rate, inputPrice, outputPrice, cachedInputPrice, maxOutputTokens } = tariff;
  return {
    aliases: [...aliases],
    currency,
    rate: amountOf(rate),
    input_price: amountOf(inputPrice),
    output_price: amountOf(outputPrice),
    cached_input_price: amountOrNull(cachedInputPrice),
    max_output_tokens: maxOutputTokens,
  };
}

/** The same as JSON text with every digit: a number has 17 of them, and a price up to 24. */
export function exactFieldsOf(tariff: Tariff): string {
  const exact: Readonly<Record<string, Units | null>> = {
    rate: tariff.rate,
    input_price: tariff.inputPrice,
    output_price: tariff.outputPrice,
    cached_input_price: tariff.cachedInputPrice,
  };
  const members = Object.entries(fieldsOf(tariff)).map(([name, value]) => {
    const units = exact[name];
    return `"${name}":${units ? decimalOf(units) : JSON.stringify(value)}`;
  });
  return `{${members.join(",")}}`;
}

/**
 * Whether answers have the same of two prices of one name and day. A number in them has 17 digits, and a price that was
 * imported may have more.
 */
export function isShownSame(one: Tariff, other: Tariff): boolean {
  return JSON.stringify(ownFieldsOf(one)) === JSON.stringify(ownFieldsOf(other));
}

/** Whether two prices of one name and day are the same. */
export function isSame(one: Tariff, other: Tariff): boolean {
  return (
    one.currency === other.currency &&
    one.rate === other.rate &&
    one.inputPrice === other.inputPrice &&
    one.outputPrice === other.outputPrice &&
    one.cachedInputPrice === other.cachedInputPrice &&
    one.maxOutputTokens === other.maxOutputTokens &&
    one.aliases.length === other.aliases.length &&
    one.aliases.every((alias, i) => alias === other.aliases[i])
  );
}
