import type { Pool } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { run, statement } from "@/server/db/statement";
import type { Refusal } from "@/server/keys/schema";

/** A hold that was refused. */
export interface Refused {
  code: Refusal;
  requestId: string | undefined;
}

/** The authorization that a request has already. */
export interface ReplayedRequest {
  requestId: string;
  authorizationId: string;
  /** Yuan. */
  replayedAmount: number;
  /** Whole seconds since 1970. */
  expiresAt: number;
}

interface Row {
  request_id: string;
  authorization_id: string;
  replayed_amount: number;
  expires_at: number;
}

/**
 * Counts refusals of a key, on the day it is in the account's zone. Another process may have made the authorization of
 * the same request while this one waited for the key, which the statement of the hold cannot see. Such a request is
 * answered here, and not counted.
 */
export async function countRefusals(
  pool: Pool,
  { accountId, keyId }: KeyReference,
  refused: readonly Refused[],
): Promise<ReplayedRequest[]> {
  const rows = await run(pool, COUNT_REFUSALS, [
    accountId,
    keyId,
    refused.map(({ code }) => code),
    refused.map(({ requestId }) => requestId ?? null),
  ]);
  return rows.map((row) => ({
    requestId: row.request_id,
    authorizationId: row.authorization_id,
    replayedAmount: row.replayed_amount,
    expiresAt: row.expires_at,
  }));
}

export const COUNT_REFUSALS = statement<Row>(
  "count-refusals",
  ["text", "text", "text[]", "text[]"],
  `
  WITH replayed AS (
    -- The requests that have an authorization by now.
    SELECT
      request_id,
      id AS authorization_id,
      amount::float8 AS replayed_amount,
      floor(extract(epoch FROM expires_at))::float8 AS expires_at
    FROM "authorization"
    WHERE account_id = $1 AND key_id = $2 AND request_id = ANY($4::text[])
  ), counted AS (
    -- Adds the others to the counts of the day. In the order of the codes, so that two calls wait for each other and do
    -- not meet in a deadlock.
    INSERT INTO refusal_day AS total (account_id, key_id, day, code, count)
    SELECT account.id, $2, (now() AT TIME ZONE account.time_zone)::date, code, count(*)
    FROM account, unnest($3::text[], $4::text[]) AS refused(code, request_id)
    WHERE account.id = $1 AND NOT EXISTS (SELECT FROM replayed WHERE replayed.request_id = refused.request_id)
    GROUP BY account.id, code
    ORDER BY code
    ON CONFLICT (account_id, key_id, day, code) DO UPDATE SET count = total.count + EXCLUDED.count
  )
  SELECT *
  FROM replayed`,
);
