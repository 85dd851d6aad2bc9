import type { Pool, PoolClient } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { today } from "@/server/db/account-row";
import { run, statement } from "@/server/db/statement";
import { inTransaction } from "@/server/db/transaction";
import { currentDay, currentMonth, isExpiredHold, isOpenHold, windows } from "@/server/keys/state";
import { LOCK_FREE_KEYS } from "./lock-keys";

/** How many holds one transaction releases: a key may have a million, and a statement takes 30 s at most. */
const HOLDS_AT_ONCE = 10_000;

/**
 * Releases the holds of a key that have expired. See docs/api.md#authorize. A key that another transaction has locked stays as it
 * is: whoever waited for it would keep all work behind it waiting, and fail in the end.
 * @returns whether the key was free.
 */
export async function releaseExpired(pool: Pool, { accountId, keyId }: KeyReference): Promise<boolean> {
  const isLeft = await inTransaction(pool, async (client) => {
    const locked = await run(client, LOCK_FREE_KEYS, [[accountId], [keyId]]);
    return locked.length === 0 ? undefined : releaseLocked(client, { accountId, keyId });
  });
  return isLeft ? releaseExpired(pool, { accountId, keyId }) : isLeft !== undefined;
}

/**
 * The same for a key whose row the transaction has locked. It must not change the row before or after that.
 * @returns whether some are left, because there are more than one transaction releases.
 */
export async function releaseLocked(client: PoolClient, { accountId, keyId }: KeyReference): Promise<boolean> {
  const [released] = await run(client, RELEASE_EXPIRED, [accountId, keyId]);
  return released?.is_left ?? false;
}

/**
 * Releases the expired holds of the key `$2` of the account `$1`, whose row is locked, and writes when the first open hold
 * expires. Where there are very many, it releases those that expired first, and some are left. Where a hold has expired, it
 * brings the counters to the current day and month, as every statement that writes them does. How many holds are open is
 * counted again, because a process of an older version, which runs beside this one during an upgrade, does not count them.
 *
 * The row of the key is changed once. When a transaction changes it a second time, PostgreSQL looks for its group and its account
 * again, and waits where the group is being deleted.
 */
export const RELEASE_EXPIRED = statement<{ is_left: boolean }>(
  "release-expired",
  ["text", "text"],
  `
  WITH part AS (
    -- The last one that is released. There is no row where all are.
    SELECT expires_at AS until
    FROM "authorization" hold
    WHERE account_id = $1 AND key_id = $2 AND ${isExpiredHold("hold")}
    ORDER BY expires_at
    OFFSET ${HOLDS_AT_ONCE - 1}
    LIMIT 1
  ), ended AS (
    -- Ends the expired holds. They ended when their time was over, not when somebody found that out.
    UPDATE "authorization" hold SET
      state = 'expired',
      settled_at = expires_at
    WHERE account_id = $1 AND key_id = $2 AND ${isExpiredHold("hold")}
      AND expires_at <= coalesce((SELECT until FROM part), now())
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
      count(*)::int AS holds,
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
    WHERE account_id = $1 AND key_id = $2 AND ${isOpenHold("hold")} AND NOT EXISTS (SELECT FROM part)
  )
  UPDATE api_key key SET
    held = key.held - coalesce(changed.released, 0),
    day = coalesce(changed.day, key.day),
    day_spent = coalesce(changed.day_spent, key.day_spent),
    day_held = coalesce(changed.day_held, key.day_held),
    month = coalesce(changed.month, key.month),
    month_spent = coalesce(changed.month_spent, key.month_spent),
    month_held = coalesce(changed.month_held, key.month_held),
    held_until = CASE WHEN part.until IS NULL THEN open.first ELSE key.held_until END,
    open_holds = CASE WHEN part.until IS NULL THEN open.count ELSE GREATEST(0, key.open_holds - changed.holds) END
  FROM open LEFT JOIN changed ON true LEFT JOIN part ON true
  WHERE key.account_id = $1 AND key.id = $2
  RETURNING part.until IS NOT NULL AS is_left`,
);
