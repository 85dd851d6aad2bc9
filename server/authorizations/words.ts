import { formatAmount } from "../limits/amount";
import type { Available, Refusal } from "./schema";

const LIMITS = { budget: "total budget", daily_limit: "limit of the day", monthly_limit: "limit of the month" };

const LEFT_OF = { budget: "budget", daily_limit: "daily", monthly_limit: "monthly" } as const;

/** Why a call is refused, in a sentence with the numbers: yuan, four decimals. */
export function refusalSentence(code: Refusal, amount: number, available: Available): string {
  switch (code) {
    case "key_not_found":
      return "The API key does not exist.";
    case "key_disabled":
      return "The API key is disabled.";
    case "key_expired":
      return "The API key has expired.";
    case "input_price_limit":
      return "The model's input price is unknown or above the ceiling of the key.";
    case "output_price_limit":
      return "The model's output price is unknown or above the ceiling of the key.";
    default: {
      const left = available[LEFT_OF[code]] ?? 0;
      return `The ${LIMITS[code]} does not allow ${formatAmount(amount)} yuan: ${signed(left)} yuan are left.`;
    }
  }
}

/** What is left may be below 0: a limit was lowered, or a call cost more than was held for it. */
function signed(amount: number): string {
  return amount < 0 ? `-${formatAmount(-amount)}` : formatAmount(amount);
}
