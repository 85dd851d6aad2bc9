import { toFourDecimals } from "./amount";
import type { Limits } from "./schema";

/**
 * The sentence that answers a change of the limits of one key. It states the budget and the expiry date always, the daily
 * and the monthly limit when they are set. Amounts are in yuan with four decimals. See docs/api.md#set-limits-of-a-key.
 */
export function summarizeLimits(apikeyId: string, limits: Limits): string {
  const parts = [`budget ${amountText(limits.budget)}`, `expiry date ${limits.expiry_date ?? "none"}`];
  if (limits.daily_limit !== null) parts.push(`daily limit ${amountText(limits.daily_limit)}`);
  if (limits.monthly_limit !== null) parts.push(`monthly limit ${amountText(limits.monthly_limit)}`);
  return `Limits of ${apikeyId} updated: ${parts.join(", ")}.`;
}

function amountText(amount: number | null): string {
  if (amount === null) return "not set";
  return `${toFourDecimals(amount)} yuan${amount === 0 ? " (no limit)" : ""}`;
}
