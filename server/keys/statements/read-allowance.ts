import { today } from "@/server/db/account-row";
import { isOfOneAccount } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { selectedLimits } from "@/server/limits/columns";
import type { Limits, Window } from "@/server/limits/schema";
import { dayResetsAt, left, monthResetsAt, windowsWithin } from "../state";

/** One window of a key. Amounts in yuan. */
interface WindowAllowance {
  /** `null` is no limit. */
  limit: number | null;
  spent: number;
  held: number;
  /** limit − spent − held; `null` is no limit. It may be negative. */
  available: number | null;
  /** When it begins anew, in whole seconds since 1970; `null`: never. */
  resets_at: number | null;
}

/** What a key may spend: its limits as they are set, and each window. */
export interface KeyAllowance extends Limits {
  name: string;
  windows: Record<"budget" | "daily" | "monthly", WindowAllowance>;
}

const windows = windowsWithin(isOfOneAccount("hold", "$1"));

const windowObject = (window: Window, resetsAt: string) => {
  const { limit, spent, held } = windows[window];
  return `jsonb_build_object('limit', ${limit}::float8, 'spent', ${spent}::float8, 'held', ${held}::float8,
      'available', ${left(window, windows[window])}::float8, 'resets_at', ${resetsAt})`;
};

/** What the key `$2` of the account `$1` may spend now; no row where there is no such key. */
export const READ_ALLOWANCE = statement<KeyAllowance>(
  "read-allowance",
  ["text", "text"],
  `
  SELECT key.name, ${selectedLimits},
    jsonb_build_object(
      'budget', ${windowObject("budget", "NULL")},
      'daily', ${windowObject("daily_limit", dayResetsAt)},
      'monthly', ${windowObject("monthly_limit", monthResetsAt)}
    ) AS windows
  FROM api_key key
  CROSS JOIN LATERAL (
    SELECT time_zone, limit_change_id, ${today} AS today FROM account WHERE id = $1 LIMIT 1
  ) account
  WHERE key.account_id = $1 AND key.id = $2`,
);
