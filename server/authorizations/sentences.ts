import type { Refusal } from "../keys/schema";
import { formatAmount } from "../limits/amount";
import { isPrice } from "../limits/schema";
import type { Room } from "./judge";
import type { CheckedLimit } from "./schema";

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
 * Why a call is refused. Amounts are in yuan with four decimals.
 * @param amount what was asked for, in yuan.
 * @param room what there is room for: yuan of each limit, and open authorizations.
 */
export function refusalSentence(code: Refusal, amount: number, { left, openHolds }: Room): string {
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
      return "The model's input price is unknown or above the ceiling of the key.";
    case "output_price_limit":
      return "The model's output price is unknown or above the ceiling of the key.";
    case "open_holds":
      return `Too many authorizations of the key are open: ${openHolds.count} of at most ${openHolds.most}.`;
    default:
      return `The ${NAMES[code]} does not allow ${formatAmount(amount)} yuan: ${signed(left[code] ?? 0)} yuan are left.`;
  }
}

/** The smallest change that removes an obstacle. Amounts are in yuan, prices in yuan per million tokens. */
export function changeSentence({ code, limit, needed }: CheckedLimit): string {
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
      const unit = isPrice(code) ? "yuan per million tokens" : "yuan";
      return `Raise the ${RAISED[code]} from ${formatAmount(limit ?? 0)} to ${atLeast(needed)} ${unit}.`;
    }
  }
}

/** What is left may be negative: a limit was lowered, or a call cost more than was held for it. */
function signed(amount: number): string {
  return amount < 0 ? `-${formatAmount(-amount)}` : formatAmount(amount);
}

/** An amount with four decimals. One that has more is written whole, because a rounded one might not be enough. */
function atLeast(amount: number): string {
  const short = formatAmount(amount);
  return Number(short) >= amount ? short : String(amount);
}
