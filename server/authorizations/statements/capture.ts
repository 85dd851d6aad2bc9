import type { Pool } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { run, statement } from "@/server/db/statement";
import { countsInDay, countsInMonth } from "@/server/keys/state";
import { OPEN } from "../open-authorizations";
import type { SettledAuthorization } from "./find-authorization";

/** What a call really cost. */
export interface Capture {
  /** ObjectId of the authorization. */
  id: string;
  /** Yuan. */
  amount: number;
}

/**
 * Captures authorizations of one key in one statement. It ends their holds, counts what was captured on the day of each
 * hold, and writes the ledger. See docs/api.md#capture.
 * @param captures at most one for each authorization.
 * @returns those that were open. The others were settled before, or do not exist.
 */
export async function capture(
  pool: Pool,
  { accountId, keyId }: KeyReference,
  captures: readonly Capture[],
): Promise<SettledAuthorization[]> {
  return run(pool, CAPTURE, [
    accountId,
    keyId,
    captures.map(({ id }) => id),
    captures.map(({ amount }) => String(amount)),
  ]);
}

export const CAPTURE = statement<SettledAuthorization>(
  "capture",
  ["text", "text", "text[]", "numeric[]"],
  `${OPEN}, captured AS (
    -- The open authorizations with what each one really cost.
    SELECT open.*, asked.amount AS captured
    FROM open
    JOIN unnest($3::text[], $4::numeric[]) AS asked(id, amount) USING (id)
  ), sums AS (
    -- What the counters change by. A key has counters for its current day and month only.
    SELECT
      count(captured.id) AS count,
      coalesce(sum(captured.captured), 0) AS spent,
      coalesce(sum(captured.amount) FILTER (WHERE is_held), 0) AS released,
      coalesce(sum(captured.captured) FILTER (WHERE ${countsInDay("captured")}), 0) AS day_spent,
      coalesce(sum(captured.amount) FILTER (WHERE is_held AND ${countsInDay("captured")}), 0) AS day_released,
      coalesce(sum(captured.captured) FILTER (WHERE ${countsInMonth("captured")}), 0) AS month_spent,
      coalesce(sum(captured.amount) FILTER (WHERE is_held AND ${countsInMonth("captured")}), 0) AS month_released
    FROM key, captured
  ), counted AS (
    -- Writes the counters of the key.
    UPDATE api_key SET
      spent = key.spent + sums.spent,
      held = key.held - sums.released,
      day_spent = key.day_spent + sums.day_spent,
      day_held = key.day_held - sums.day_released,
      month_spent = key.month_spent + sums.month_spent,
      month_held = key.month_held - sums.month_released
    FROM key, sums
    WHERE api_key.account_id = $1 AND api_key.id = $2 AND sums.count > 0
  ), settled AS (
    -- Ends the holds.
    UPDATE "authorization" settled SET
      state = 'captured',
      captured = captured.captured,
      settled_at = now(),
      overrun = captured.captured > captured.amount,
      late = captured.is_late
    FROM captured
    WHERE settled.account_id = $1 AND settled.id = captured.id
  ), recorded AS (
    -- One line of the ledger for each capture.
    INSERT INTO ledger (account_id, authorization_id, key_id, day, amount, overrun, late)
    SELECT $1, id, $2, day, captured, captured > amount, is_late
    FROM captured
  ), totals AS (
    -- The totals of the days, so that a chart never reads the ledger. In the order of the days, so that two captures
    -- wait for each other and do not meet in a deadlock.
    INSERT INTO key_day AS total (account_id, key_id, day, spent, captures)
    SELECT $1, $2, day, sum(captured), count(*)
    FROM captured
    GROUP BY day
    ORDER BY day
    ON CONFLICT (account_id, key_id, day)
      DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + EXCLUDED.captures
  )
  SELECT id, 'captured' AS state, captured::float8 AS captured, captured > amount AS overrun, is_late AS late
  FROM captured`,
);
