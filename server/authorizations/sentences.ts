import type { Refusal } from "../keys/schema";
import { formatAmount, roundAmount, toAllDecimals } from "../limits/amount";
import { isPrice } from "../limits/schema";
import type { CheckedLimit, CheckScope } from "./check/schema";
import type { RefusalDetails } from "./schema";

/** What the sentence of a refusal calls the limits. */
const NAMES = {
  budget: "total budget",
  daily_limit: "limit of the day",
  monthly_limit: "limit of the month",
  input_price_limit: "input price ceiling",
  output_price_limit: "output price ceiling",
};

/** What the sentence of a change calls them. */
const RAISED = { ...NAMES, daily_limit: "limit per day", monthly_limit: "limit per month" };

/**
 * Why a call is refused. Amounts are in yuan, prices in yuan per million tokens.
 * @param amount what was asked for, in yuan.
 * @param answer with the numbers of the refusal.
 * @param scope what was asked.
 */
export function refusalSentence(
  code: Refusal,
  amount: number,
  { refusal }: { refusal: RefusalDetails | null },
  scope: CheckScope = "call",
): string {
  const limit = refusal?.limit ?? 0;
  const available = refusal?.available ?? 0;
  switch (code) {
    case "key_not_found":
      return "The API key does not exist.";
    case "account_disabled":
      return "The account of the API key is disabled.";
    case "key_disabled":
      return "The API key is disabled.";
    case "key_expired":
      return "The API key has expired.";
    case "unknown_model":
      return "The model has no price in the catalogue.";
    case "input_price_limit":
      return priceSentence("input", refusal);
    case "output_price_limit":
      return priceSentence("output", refusal);
    case "open_holds":
      return `Too many authorizations of the key are open: ${limit - available} of at most ${limit}.`;
    default: {
      if (scope === "left") return `Nothing is left of the ${NAMES[code]} of ${formatAmount(limit)} yuan.`;
      const [asked, left] = apart(amount, available);
      return `The ${NAMES[code]} does not allow ${asked} yuan: ${left} yuan are left.`;
    }
  }
}

/** What passes a check, in words. */
export function passSentence(amount: number, scope: CheckScope): string {
  if (scope === "key") return "The API key is good.";
  if (scope === "left") return "The API key is good, and something is left of each limit.";
  return `${formatAmount(amount)} yuan would be allowed.`;
}

/** The smallest change that removes an obstacle. Amounts are in yuan, prices in yuan per million tokens. */
export function changeSentence({ code, limit, spent, held, needed }: CheckedLimit, scope: CheckScope = "call"): string {
  switch (code) {
    case "key_not_found":
      return "Present the value of a key that exists.";
    case "account_disabled":
      return "Ask the operator of the service to enable the account.";
    case "key_disabled":
      return "Enable the key.";
    case "open_holds":
      return "Capture or void an open authorization, or wait until one ends.";
    case "key_expired":
      return "Set a later expiry date, or none.";
    case "unknown_model":
      return "Put a price of the model into the catalogue.";
    default: {
      if (needed === null) return `Say the model's price: the ${RAISED[code]} refuses an unknown one.`;
      if (scope === "left") {
        return `Raise the ${RAISED[code]} above ${atLeast(roundAmount((spent ?? 0) + (held ?? 0)))} yuan.`;
      }
      const unit = isPrice(code) ? "yuan per million tokens" : "yuan";
      return `Raise the ${RAISED[code]} from ${formatAmount(limit ?? 0)} to ${atLeast(needed)} ${unit}.`;
    }
  }
}

function priceSentence(kind: "input" | "output", refusal: RefusalDetails | null): string {
  const { price = null, ceiling = null } = refusal ?? {};
  if (price === null) {
    const most = formatAmount(ceiling ?? 0);
    return `The model's ${kind} price is unknown, and the key has a ceiling of ${most} yuan per million tokens.`;
  }
  const [asked, most] = apart(price, ceiling ?? 0);
  return `The model's ${kind} price of ${asked} yuan per million tokens is above the key's ceiling of ${most}.`;
}

/** Two amounts, with all their decimals where they would look the same. The second one may be negative. */
function apart(first: number, second: number): [string, string] {
  const texts: [string, string] = [formatAmount(first), signed(second, formatAmount)];
  return texts[0] === texts[1] ? [toAllDecimals(first), signed(second, toAllDecimals)] : texts;
}

/** What is left may be negative: a limit was lowered, or a call cost more than was held for it. */
function signed(amount: number, format: (amount: number) => string): string {
  return amount < 0 ? `-${format(-amount)}` : format(amount);
}

/** An amount that is not rounded down, because less might not be enough. */
function atLeast(amount: number): string {
  const short = formatAmount(amount);
  return Number(short) >= amount ? short : toAllDecimals(amount);
}
