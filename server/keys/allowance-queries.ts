import type { AccountId } from "../auth/account-id";
import { joinAccount } from "../db/account-row";
import type { Database } from "../db/client";
import { limitSelection } from "../limits/columns";
import type { Limits, Window } from "../limits/schema";
import { ACCOUNT, ofAccount } from "./selection";
import { dayResetsAt, left, monthResetsAt, windowsWithin } from "./state";

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
interface KeyAllowance extends Limits {
  name: string;
  windows: Record<"budget" | "daily" | "monthly", WindowAllowance>;
}

const windows = windowsWithin(`hold.account_id COLLATE "C" = ${ACCOUNT}`);

const windowObject = (window: Window, resetsAt: string) => {
  const { limit, spent, held } = windows[window];
  return `jsonb_build_object('limit', ${limit}::float8, 'spent', ${spent}::float8, 'held', ${held}::float8,
    'available', ${left(window, windows[window])}::float8, 'resets_at', ${resetsAt})`;
};

const WINDOW_OBJECTS = `jsonb_build_object(
  'budget', ${windowObject("budget", "NULL")},
  'daily', ${windowObject("daily_limit", dayResetsAt)},
  'monthly', ${windowObject("monthly_limit", monthResetsAt)}
)`;

/** What a key may spend now; undefined where there is no such key. */
export async function findAllowance(
  { prisma }: Database,
  accountId: AccountId,
  apikeyId: string,
): Promise<KeyAllowance | undefined> {
  const [found] = await prisma.$queryRaw<KeyAllowance[]>`
    SELECT key.name, ${limitSelection}, ${ofAccount(accountId, WINDOW_OBJECTS)} AS windows
    FROM api_key key
    ${joinAccount(accountId)}
    WHERE key.account_id = ${accountId} AND key.id = ${apikeyId}`;
  return found;
}
