import type { Pool, PoolClient } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { today } from "@/server/db/account-row";
import { run, statement } from "@/server/db/statement";
import { inTransaction } from "@/server/db/transaction";
import { currentDay, currentMonth, isExpiredHold, isOpenHold, windows } from "@/server/keys/state";
import { LOCK_FREE_KEYS } from "./lock-keys";

/**
 * Releases the holds of a key that have expired. See docs/api.md#authorize. A key that another transaction has locked stays as it
 * is: whoever waited for it would keep all work behind it waiting, and fail in the end.
 * @returns whether the key was free.
 */
export async function releaseExpired(pool: Pool, { accountId, keyId }: KeyReference): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const locked = await run(client, LOCK_FREE_KEYS, [[accountId], [keyId]]);
    if (locked.length === 0) return false;
    await releaseLocked(client, { accountId, keyId });
    return true;
  });
}

/** The same for a key whose row the transaction has locked. */
export async function releaseLocked(client: PoolClient, { accountId, keyId }: KeyReference): Promise<void> {
  await run(client, RELEASE_EXPIRED, [accountId, keyId]);
  await run(client, WRITE_HELD_UNTIL, [accountId, keyId]);
}

/**
 * Releases the expired holds of the key `$2` of the account `$1`, whose row is locked. It brings the counters to the current
 * day and month, as every statement that writes them does.
 */
export const RELEASE_EXPIRED = statement<Record<string, never>>(
  "release-expired",
  ["text", "text"],
  `
  WITH ended AS (
    -- Ends the expired holds. They ended when their time was over, not when somebody found that out.
    UPDATE "authorization" hold SET
      state = 'expired',
      settled_at = expires_at
    WHERE account_id = $1 AND key_id = $2 AND ${isExpiredHold("hold")}
    RETURNING amount, day, month
  ), now AS (
    -- The counters of the current day and month. What was counted on earlier days is 0 in them.
    SELECT
      ${currentDay} AS day,
      ${currentMonth} AS month,
      ${windows.daily_limit.spent} AS day_spent,
      ${windows.daily_limit.counted} AS day_held,
      ${windows.monthly_limit.spent} AS month_spent,
      ${windows.monthly_limit.counted} AS month_held
    FROM api_key key
    CROSS JOIN LATERAL (
      SELECT time_zone, limit_change_id, ${today} AS today FROM account WHERE id = key.account_id LIMIT 1
    ) account
    WHERE key.account_id = $1 AND key.id = $2
  ), sums AS (
    -- What the counters change by. There is no row where no hold has expired.
    SELECT
      sum(ended.amount) AS amount,
      coalesce(sum(ended.amount) FILTER (WHERE ended.day = now.day), 0) AS of_day,
      coalesce(sum(ended.amount) FILTER (WHERE ended.month = now.month), 0) AS of_month
    FROM now, ended
    HAVING count(*) > 0
  )
  UPDATE api_key key SET
    held = key.held - sums.amount,
    day = now.day,
    day_spent = now.day_spent,
    day_held = now.day_held - sums.of_day,
    month = now.month,
    month_spent = now.month_spent,
    month_held = now.month_held - sums.of_month
  FROM sums, now
  WHERE key.account_id = $1 AND key.id = $2`,
);

/**
 * Writes when the first open hold of the key `$2` of the account `$1` expires, and how many are open. They are counted
 * again, because a process of an older version, which runs beside this one during an upgrade, does not count them.
 */
export const WRITE_HELD_UNTIL = statement<Record<string, never>>(
  "write-held-until",
  ["text", "text"],
  `
  UPDATE api_key SET
    held_until = open.first,
    open_holds = open.count
  FROM (
    SELECT min(expires_at) AS first, count(*) AS count
    FROM "authorization" hold
    WHERE account_id = $1 AND key_id = $2 AND ${isOpenHold("hold")}
  ) open
  WHERE account_id = $1 AND id = $2`,
);
