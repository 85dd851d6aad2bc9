import { MAX_AMOUNT } from "../limits/amount";
import { decimalOf, type Units, unitsOf, unitsOfDecimal } from "../limits/units";
import { boundedPrices } from "../prices/allowed";
import { costOfEstimate, type TokenPrices, type TokenUsage } from "../prices/cost";
import { isPattern, type ModelPrice } from "../prices/price-list";
import type { Asked } from "./judge";

/** What a call is authorized by instead of an amount: its model, and an upper estimate of its tokens. */
export interface ModelCall {
  model: string;
  inputTokens: number;
  /** Undefined: as many as the model answers with. */
  maxOutputTokens: number | undefined;
}

/** What an authorization is priced by. It is fixed with the authorization, whatever becomes of the catalogue. */
export interface Quote {
  /** The call as it was asked for. */
  call: ModelCall;
  /** The name of the model in the catalogue, also where the call has an alias. Where a pattern has the price, the call's name. */
  model: string;
  maxOutputTokens: number;
  prices: TokenPrices;
}

/** Why a call by model cannot be priced although the model has a price. Nothing is decided about it: it is a wrong request. */
export type QuoteFault = "max_output_tokens_unknown" | "cost_too_large";

/** What a call by model asks for, and what it is priced by; no quote where the model has no price. */
export interface Quoted {
  asked: Asked;
  quote: Quote | undefined;
  fault: QuoteFault | undefined;
}

/** The most that an authorization or a capture may be. */
const MOST: Units = unitsOf(MAX_AMOUNT);

const UNKNOWN: Quoted = {
  asked: { amount: 0n, input_price: null, output_price: null, isModelUnknown: true, isAmountUnknown: true },
  quote: undefined,
  fault: undefined,
};

/**
 * Prices a call.
 * @param price of the model; undefined: it has none.
 */
export function quoteCall(call: ModelCall, price: ModelPrice | undefined): Quoted {
  if (!price) return UNKNOWN;
  const maxOutputTokens = call.maxOutputTokens ?? price.maxOutputTokens;
  const model = isPattern(price.name) ? call.model : price.name;
  const quote = { call, model, maxOutputTokens: maxOutputTokens ?? 0, prices: price.prices };
  const asked = askedOf(quote);
  if (maxOutputTokens !== null && isStorable(asked.amount)) return { asked, quote, fault: undefined };
  const fault = maxOutputTokens === null ? "max_output_tokens_unknown" : "cost_too_large";
  return { asked: { ...asked, amount: 0n, isAmountUnknown: true }, quote, fault };
}

/** What a quote asks for. */
export function askedOf({ call, maxOutputTokens, prices }: Quote): Asked {
  return {
    amount: costOfEstimate(prices, call.inputTokens, maxOutputTokens),
    ...boundedPrices(prices),
    isModelUnknown: false,
    isAmountUnknown: false,
  };
}

/** Whether the amount of an authorization or a capture is not above the largest one, 1e15 yuan. */
export function isStorable(amount: Units): boolean {
  return amount <= MOST;
}

/** Whether a call asks for the same as another one. */
export function isSameCall(one: ModelCall, other: ModelCall): boolean {
  return (
    one.model === other.model && one.inputTokens === other.inputTokens && one.maxOutputTokens === other.maxOutputTokens
  );
}

/** Whether the same tokens were used. */
export function isSameUsage(one: TokenUsage, other: TokenUsage): boolean {
  return (
    one.inputTokens === other.inputTokens &&
    one.cachedInputTokens === other.cachedInputTokens &&
    one.outputTokens === other.outputTokens
  );
}

/** A quote as the column `quote` of an authorization has it. Prices are exact decimals, in yuan per million tokens. */
export interface StoredQuote {
  model: string;
  input_tokens: number;
  max_output_tokens: number;
  input_price: string;
  output_price: string;
  cached_input_price: string;
  /** How the call named the model, where that is another name. */
  sent_model?: string;
  /** The call did not say `max_output_tokens`. */
  is_max_of_model?: true;
}

/** A quote as the text of its column. */
export function quoteJson(quote: Quote): string {
  return JSON.stringify(storedQuote(quote));
}

/** A quote for its column. `quoteOf` reads it back. */
export function storedQuote({ call, model, maxOutputTokens, prices }: Quote): StoredQuote {
  return {
    model,
    input_tokens: call.inputTokens,
    max_output_tokens: maxOutputTokens,
    input_price: decimalOf(prices.input),
    output_price: decimalOf(prices.output),
    cached_input_price: decimalOf(prices.cachedInput),
    ...(call.model !== model && { sent_model: call.model }),
    ...(call.maxOutputTokens === undefined && { is_max_of_model: true }),
  };
}

/** The quote that a column has. */
export function quoteOf(stored: StoredQuote): Quote {
  const { model, max_output_tokens: maxOutputTokens } = stored;
  return {
    call: {
      model: stored.sent_model ?? model,
      inputTokens: stored.input_tokens,
      maxOutputTokens: stored.is_max_of_model ? undefined : maxOutputTokens,
    },
    model,
    maxOutputTokens,
    prices: {
      input: unitsOfDecimal(stored.input_price),
      output: unitsOfDecimal(stored.output_price),
      cachedInput: unitsOfDecimal(stored.cached_input_price),
    },
  };
}

/** Tokens as the column `usage` of an authorization, and the answers, have them. */
export interface StoredUsage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
}

/** Tokens for their column or an answer. `usageOf` reads them back. */
export function storedUsage({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage): StoredUsage {
  return { input_tokens: inputTokens, cached_input_tokens: cachedInputTokens, output_tokens: outputTokens };
}

/** The tokens that a column or a request has. */
export function usageOf(stored: StoredUsage): TokenUsage {
  return {
    inputTokens: stored.input_tokens,
    cachedInputTokens: stored.cached_input_tokens,
    outputTokens: stored.output_tokens,
  };
}
