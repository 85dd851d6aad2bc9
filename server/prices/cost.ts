import { amountOf, divideHalfEven, divideUp, type Units, unitsOf } from "../limits/units";

// What a call costs, in whole numbers alone: no sum of it is rounded before the last one.

/** The prices of a model, in yuan per million tokens. */
export interface TokenPrices {
  input: Units;
  output: Units;
  /** Of the tokens of the input that the model has read before. */
  cachedInput: Units;
}

/** Prices as answers have them: numbers, in yuan per million tokens. */
export function pricesAnswer({ input, output, cachedInput }: TokenPrices) {
  return { input: amountOf(input), output: amountOf(output), cached_input: amountOf(cachedInput) };
}

/** The tokens of a call. */
export interface TokenUsage {
  /** All tokens of the input, those that the model has read before among them. */
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
}

const TOKENS_OF_A_PRICE = 1_000_000n;
const ONE = unitsOf(1);

/**
 * A price in yuan, rounded half-even to nine decimals.
 * @param price in a currency, per million tokens.
 * @param rate yuan for one unit of the currency.
 */
export function priceInYuan(price: Units, rate: Units): Units {
  return rate === ONE ? price : divideHalfEven(price * rate, ONE);
}

/**
 * The most that a call may cost, in yuan: the whole input at the higher of its two prices. It is rounded up, so that no usage
 * within the estimate costs more.
 */
export function costOfEstimate(prices: TokenPrices, inputTokens: number, maxOutputTokens: number): Units {
  const input = prices.input > prices.cachedInput ? prices.input : prices.cachedInput;
  return divideUp(BigInt(inputTokens) * input + BigInt(maxOutputTokens) * prices.output, TOKENS_OF_A_PRICE);
}

/** What a call cost, in yuan, rounded half-even to nine decimals, as every amount is. */
export function costOfUsage(prices: TokenPrices, usage: TokenUsage): Units {
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  const cost =
    BigInt(inputTokens - cachedInputTokens) * prices.input +
    BigInt(cachedInputTokens) * prices.cachedInput +
    BigInt(outputTokens) * prices.output;
  return divideHalfEven(cost, TOKENS_OF_A_PRICE);
}
