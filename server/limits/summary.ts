import { formatAmount } from "./amount";
import type { Limits } from "./schema";

/**
 * The message of the answer when limits of one key are set (docs/api.md#set-limits-of-a-key): budget and expiry date
 * always, daily and monthly limit when they are set, amounts in yuan with four decimals.
 */
export function summarizeLimits(apikeyId: string, limits: Limits): string {
  const parts = [`budget ${amountText(limits.budget)}`, `expiry date ${limits.expiry_date ?? "none"}`];
  if (limits.daily_limit !== null) parts.push(`daily limit ${amountText(limits.daily_limit)}`);
  if (limits.monthly_limit !== null) parts.push(`monthly limit ${amountText(limits.monthly_limit)}`);
  return `Limits of ${apikeyId} updated: ${parts.join(", ")}.`;
}

function amountText(amount: number | null): string {
  if (amount === null) return "not set";
  return `${formatAmount(amount)} yuan${amount === 0 ? " (no limit)" : ""}`;
}
