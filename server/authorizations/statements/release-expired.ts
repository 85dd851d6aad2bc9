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

/** The same for a key whose row the transaction has locked. It must not change the row before or after that. */
export async function releaseLocked(client: PoolClient, { accountId, keyId }: KeyReference): Promise<void> {
  await run(client, RELEASE_EXPIRED, [accountId, keyId]);
}

/**
 * Releases the expired holds of the key `$2` of the account `$1`, whose row is locked, and writes when the first open hold expires.
 * Where a hold has expired, it brings the counters to the current day and month, as every statement that writes them does. How many
 * holds are open is counted again, because a process of an older version, which runs beside this one during an upgrade, does not
 * count them.
 *
 * The row of the key is changed once. When a transaction changes it a second time, PostgreSQL looks for its group and its account
 * again, and waits where the group is being deleted.
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
  ), changed AS (
    -- The counters without the expired holds. There is no row where no hold has expired: the key stays in its day then.
    SELECT
      sum(ended.amount) AS released,
      now.day,
      now.day_spent,
      now.day_held - coalesce(sum(ended.amount) FILTER (WHERE ended.day = now.day), 0) AS day_held,
      now.month,
      now.month_spent,
      now.month_held - coalesce(sum(ended.amount) FILTER (WHERE ended.month = now.month), 0) AS month_held
    FROM now, ended
    GROUP BY now.day, now.day_spent, now.day_held, now.month, now.month_spent, now.month_held
  ), open AS (
    SELECT min(expires_at) AS first, count(*) AS count
    FROM "authorization" hold
    WHERE account_id = $1 AND key_id = $2 AND ${isOpenHold("hold")}
  )
  UPDATE api_key key SET
    held = key.held - coalesce(changed.released, 0),
    day = coalesce(changed.day, key.day),
    day_spent = coalesce(changed.day_spent, key.day_spent),
    day_held = coalesce(changed.day_held, key.day_held),
    month = coalesce(changed.month, key.month),
    month_spent = coalesce(changed.month_spent, key.month_spent),
    month_held = coalesce(changed.month_held, key.month_held),
    held_until = open.first,
    open_holds = open.count
  FROM open LEFT JOIN changed ON true
  WHERE key.account_id = $1 AND key.id = $2`,
);
