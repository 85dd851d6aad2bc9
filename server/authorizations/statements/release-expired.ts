import type { Pool } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { run, statement } from "@/server/db/statement";
import { inTransaction } from "@/server/db/transaction";
import { countsInDay, countsInMonth, isExpiredHold, isOpenHold } from "@/server/keys/state";
import { LOCK_KEYS } from "./lock-keys";

/** Releases the holds of a key that have expired. See docs/api.md#authorize. */
export async function releaseExpired(pool: Pool, { accountId, keyId }: KeyReference): Promise<void> {
  await inTransaction(pool, async (client) => {
    await run(client, LOCK_KEYS, [[accountId], [keyId]]);
    await run(client, RELEASE_EXPIRED, [accountId, keyId]);
  });
}

/** Releases the expired holds of the key `$2` of the account `$1`, whose row is locked. */
export const RELEASE_EXPIRED = statement<Record<string, never>>(
  "release-expired",
  ["text", "text"],
  `
  WITH ended AS (
    -- Ends the expired holds.
    UPDATE "authorization" hold SET
      state = 'expired',
      settled_at = now()
    WHERE account_id = $1 AND key_id = $2 AND ${isExpiredHold("hold")}
    RETURNING amount, day, month
  ), sums AS (
    -- What the counters change by, and when the next hold expires.
    SELECT
      coalesce(sum(ended.amount), 0) AS amount,
      coalesce(sum(ended.amount) FILTER (WHERE ${countsInDay("ended")}), 0) AS of_day,
      coalesce(sum(ended.amount) FILTER (WHERE ${countsInMonth("ended")}), 0) AS of_month,
      (
        SELECT min(expires_at)
        FROM "authorization" hold
        WHERE account_id = $1 AND key_id = $2 AND ${isOpenHold("hold")}
      ) AS next
    FROM api_key key
    LEFT JOIN ended ON true
    WHERE key.account_id = $1 AND key.id = $2
  )
  UPDATE api_key key SET
    held = key.held - sums.amount,
    day_held = key.day_held - sums.of_day,
    month_held = key.month_held - sums.of_month,
    held_until = sums.next
  FROM sums
  WHERE key.account_id = $1 AND key.id = $2`,
);
