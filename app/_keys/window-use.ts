import { sumExactly } from "@/components/yuan";
import type { Key } from "@/server/keys/schema";
import type { Window } from "@/server/limits/schema";

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
  return (["daily_limit", "monthly_limit", "budget"] as const).map((name) => windowOf(apikey, name));
}

/** One of them. */
export function windowOf(apikey: Key, name: Window): WindowUse {
  const { spent, left, resetsAt } = countersOf(apikey, name);
  const limit = apikey[name] || null;
  // Of a very high limit, what is left has lost its last decimals. No window holds more than the key.
  const held = limit === null || left === null ? 0 : Math.min(sumExactly([limit, -spent, -left]), apikey.held);
  return { name, limit, spent, held, left, resetsAt };
}

function countersOf(apikey: Key, name: Window): Pick<WindowUse, "spent" | "left" | "resetsAt"> {
  const { available } = apikey;
  switch (name) {
    case "daily_limit":
      return { spent: apikey.spent_today, left: available.daily, resetsAt: apikey.daily_resets_at };
    case "monthly_limit":
      return { spent: apikey.spent_this_month, left: available.monthly, resetsAt: apikey.monthly_resets_at };
    case "budget":
      return { spent: apikey.spent, left: available.budget, resetsAt: null };
  }
}
