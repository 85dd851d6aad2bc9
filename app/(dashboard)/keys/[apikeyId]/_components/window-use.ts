import { sumExactly } from "@/components/yuan";
import type { Key } from "@/server/keys/schema";
import type { Window } from "@/server/limits/schema";

/** From which part of a limit on one is told that it is near. */
export const NEAR_FROM = 0.8;

/** One limit of spend of a key, and what is used of it. Amounts in yuan. */
export interface WindowUse {
  name: Window;
  /** `null` is no limit. */
  limit: number | null;
  spent: number;
  /** Held by open authorizations. 0 where there is no limit. */
  held: number;
  /** limit − spent − held; `null` is no limit. It may be negative. */
  left: number | null;
  /** When the next window begins, in seconds since 1970; `null`: it never does. */
  resetsAt: number | null;
}

/** The three limits of spend of a key, the one that begins anew first before the others. */
export function windowsOf(apikey: Key): WindowUse[] {
  const { available } = apikey;
  const use = (
    name: Window,
    of: { limit: number | null; spent: number; left: number | null; resetsAt: number | null },
  ): WindowUse => {
    const limit = of.limit || null;
    // Of a very high limit, what is left has lost its last decimals. No window holds more than the key.
    const held =
      limit === null || of.left === null ? 0 : Math.min(sumExactly([limit, -of.spent, -of.left]), apikey.held);
    return { ...of, name, limit, held };
  };
  return [
    use("daily_limit", {
      limit: apikey.daily_limit,
      spent: apikey.spent_today,
      left: available.daily,
      resetsAt: apikey.daily_resets_at,
    }),
    use("monthly_limit", {
      limit: apikey.monthly_limit,
      spent: apikey.spent_this_month,
      left: available.monthly,
      resetsAt: apikey.monthly_resets_at,
    }),
    use("budget", { limit: apikey.budget, spent: apikey.spent, left: available.budget, resetsAt: null }),
  ];
}
