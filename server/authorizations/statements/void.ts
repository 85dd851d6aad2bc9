import type { Pool } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { run, statement } from "@/server/db/statement";
import { countsInDay, countsInMonth } from "@/server/keys/state";
import { OPEN } from "../open-authorizations";
import type { SettledAuthorization } from "./find-authorization";

/**
 * Ends the hold of an authorization: the call was not made. An authorization that expired stays as it is, since it holds
 * nothing any more. See docs/api.md#void.
 * @returns what it is now; undefined when it was settled before, or does not exist.
 */
export async function voidHold(
  pool: Pool,
  { accountId, keyId }: KeyReference,
  id: string,
): Promise<SettledAuthorization | undefined> {
  const [settled] = await run(pool, VOID, [accountId, keyId, [id]]);
  return settled;
}

export const VOID = statement<SettledAuthorization>(
  "void",
  ["text", "text", "text[]"],
  `${OPEN}, sums AS (
    -- What the counters change by. A key has counters for its current day and month only.
    SELECT
      count(open.id) FILTER (WHERE is_held) AS count,
      coalesce(sum(open.amount) FILTER (WHERE is_held), 0) AS released,
      coalesce(sum(open.amount) FILTER (WHERE is_held AND ${countsInDay("open")}), 0) AS day_released,
      coalesce(sum(open.amount) FILTER (WHERE is_held AND ${countsInMonth("open")}), 0) AS month_released
    FROM key, open
  ), counted AS (
    -- Writes the counters of the key.
    UPDATE api_key SET
      held = key.held - sums.released,
      day_held = key.day_held - sums.day_released,
      month_held = key.month_held - sums.month_released
    FROM key, sums
    WHERE api_key.account_id = $1 AND api_key.id = $2 AND sums.count > 0
  ), settled AS (
    -- Ends the hold. A hold whose time is over becomes expired, not voided.
    UPDATE "authorization" settled SET
      state = CASE WHEN open.is_late THEN 'expired' ELSE 'voided' END,
      settled_at = now()
    FROM open
    WHERE settled.account_id = $1 AND settled.id = open.id AND open.is_held
  )
  SELECT
    id,
    CASE WHEN is_late THEN 'expired' ELSE 'voided' END AS state,
    NULL::float8 AS captured,
    false AS overrun,
    false AS late
  FROM open`,
);
