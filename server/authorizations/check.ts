import { formatAmount } from "../limits/amount";
import type { CheckedKey, CheckedWindow } from "./check-queries";
import type { CheckedLimit, Refusal } from "./schema";

const NO_NUMBERS = { limit: null, spent: null, held: null, available: null, needed: null };

const NAMES = {
  budget: "total budget",
  daily_limit: "limit per day",
  monthly_limit: "limit per month",
  input_price_limit: "input price ceiling",
  output_price_limit: "output price ceiling",
};

/** Prices of the model that would be called, in yuan per million tokens. */
export interface Prices {
  input: number | undefined;
  output: number | undefined;
}

/** Every limit of a key with whether a call would pass it, in the order in which an authorization looks at them. */
export function checkLimits(key: CheckedKey, prices: Prices): CheckedLimit[] {
  return [
    { code: "key_disabled", passes: !key.is_disabled, ...NO_NUMBERS },
    { code: "key_expired", passes: !key.is_expired, ...NO_NUMBERS },
    checkPrice("input_price_limit", key.input_price_limit, prices.input),
    checkPrice("output_price_limit", key.output_price_limit, prices.output),
    checkWindow("budget", key.budget),
    checkWindow("daily_limit", key.daily_limit),
    checkWindow("monthly_limit", key.monthly_limit),
  ];
}

/** The smallest change that removes an obstacle, as a sentence: yuan with four decimals. */
export function smallestChange({ code, limit, needed }: CheckedLimit): string {
  switch (code) {
    case "key_not_found":
      return "Present the value of a key that exists.";
    case "key_disabled":
      return "Enable the key.";
    case "key_expired":
      return "Set a later expiry date, or none.";
    default: {
      const isPrice = code === "input_price_limit" || code === "output_price_limit";
      if (needed === null) return `Say the model's price: the ${NAMES[code]} refuses an unknown one.`;
      const unit = isPrice ? "yuan per million tokens" : "yuan";
      return `Raise the ${NAMES[code]} from ${formatAmount(limit ?? 0)} to ${atLeast(needed)} ${unit}.`;
    }
  }
}

function checkPrice(code: Refusal, limit: number | null, price: number | undefined): CheckedLimit {
  return {
    ...NO_NUMBERS,
    code,
    limit,
    needed: price ?? null,
    // An unknown price passes no ceiling.
    passes: limit === null || (price !== undefined && price <= limit),
  };
}

function checkWindow(code: Refusal, { limit, spent, held, available, needed, passes }: CheckedWindow): CheckedLimit {
  return { code, passes, limit, spent, held, available, needed };
}

/** Four decimals where they say it all; an amount that has more is written whole, for a rounded one would not do. */
function atLeast(amount: number): string {
  const short = formatAmount(amount);
  return Number(short) >= amount ? short : String(amount);
}
