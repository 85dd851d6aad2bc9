import { isExpiredHold } from "@/server/keys/state";

/**
 * The beginning of each statement that settles authorizations of one key. `key` is the key, locked. `open` has a row for
 * each authorization in `$3::text[]` that can still be settled: it is held, or expired by itself. `$1` is the account,
 * `$2` the key.
 */
export const OPEN = `WITH key AS MATERIALIZED (
    -- Locks the key before any authorization, as a hold does, so that no two statements can meet in a deadlock.
    SELECT *
    FROM api_key key
    WHERE key.account_id = $1 AND key.id = $2
    FOR NO KEY UPDATE
  ), open AS MATERIALIZED (
    -- Locks the authorizations, each one looked up by its whole key. Those that are settled are left out.
    SELECT
      held.id,
      held.amount,
      held.day,
      held.month,
      held.state = 'held' AS is_held,
      held.state = 'expired' OR ${isExpiredHold("held")} AS is_late
    FROM key
    CROSS JOIN unnest($3::text[]) AS asked(id)
    CROSS JOIN LATERAL (
      SELECT *
      FROM "authorization" one
      WHERE one.account_id = key.account_id AND one.id = asked.id AND one.state IN ('held', 'expired')
      LIMIT 1
      FOR UPDATE
    ) held
    WHERE held.key_id = key.id
  )`;
