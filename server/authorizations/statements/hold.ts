import type { Pool } from "pg";
import type { KeyReference } from "@/server/auth/key-owner";
import { run, statement } from "@/server/db/statement";
import type { Refusal } from "@/server/keys/schema";
import {
  countedLeft,
  currentDay,
  currentMonth,
  isRevoked,
  isValueValid,
  refusalsOfKey,
  refusalsOfWindows,
  windows,
} from "@/server/keys/state";
import { WINDOWS, type Window } from "@/server/limits/schema";

/** One hold to be made on a key. Amounts in yuan, prices in yuan per million tokens. */
export interface Hold {
  /** ObjectId of the authorization to be. */
  id: string;
  /** SHA-256 of the key value that was presented. */
  hash: Buffer;
  amount: number;
  inputPrice: number | undefined;
  outputPrice: number | undefined;
  requestId: string | undefined;
  ttlSeconds: number;
}

/**
 * What came of one hold: `granted`; `replayed`, when the request has its authorization already; the reason of a refusal;
 * or `undecided`, when a hold before it in the same statement was refused and it may still fit.
 */
export type Verdict = "granted" | "replayed" | "undecided" | Refusal;

/** What is left of each window of a key, in yuan; `null` is no limit. */
type Left = Record<Window, number | null>;

/** The answer to one hold. */
export interface HoldOutcome {
  verdict: Verdict;
  /** Of a granted or a replayed hold. */
  authorizationId: string | null;
  /** What the authorization of a replayed request holds, in yuan. */
  replayedAmount: number | null;
  /** When the hold ends by itself, in whole seconds since 1970. */
  expiresAt: number | null;
  /** After this hold. */
  left: Left;
}

interface HoldRow {
  verdict: Verdict;
  authorization_id: string | null;
  replayed_amount: number | null;
  expires_at: number | null;
  budget_left: number | null;
  daily_limit_left: number | null;
  monthly_limit_left: number | null;
  must_release: boolean;
}

/**
 * Makes holds on one key in one statement, in their order, as far as its limits allow. It stops at the first hold that
 * does not fit, because what is left for the next ones is not known before. See docs/api.md#authorize.
 * @returns `must release`: the key has expired holds, which count until `releaseExpired` has run. Nothing was decided.
 * @throws a unique violation when another process has just made an authorization of the same request.
 */
export async function hold(
  pool: Pool,
  { accountId, keyId }: KeyReference,
  holds: readonly Hold[],
): Promise<HoldOutcome[] | "must release"> {
  const rows = await run(pool, HOLD, [
    accountId,
    keyId,
    holds.map(({ id }) => id),
    holds.map(({ hash }) => hash),
    holds.map(({ amount }) => String(amount)),
    holds.map(({ inputPrice }) => (inputPrice === undefined ? null : String(inputPrice))),
    holds.map(({ outputPrice }) => (outputPrice === undefined ? null : String(outputPrice))),
    holds.map(({ requestId }) => requestId ?? null),
    holds.map(({ ttlSeconds }) => ttlSeconds),
  ]);
  return rows[0]?.must_release ? "must release" : rows.map(outcomeOf);
}

function outcomeOf(row: HoldRow): HoldOutcome {
  return {
    verdict: row.verdict,
    authorizationId: row.authorization_id,
    replayedAmount: row.replayed_amount,
    expiresAt: row.expires_at,
    left: { budget: row.budget_left, daily_limit: row.daily_limit_left, monthly_limit: row.monthly_limit_left },
  };
}

// Rules for a change of this statement:
// - It locks the row of the key first and touches authorizations after it, as all statements of this folder do, so that
//   no two of them can meet in a deadlock.
// - What is computed from the locked row is joined in FROM, never read by a subquery of the UPDATE. Otherwise PostgreSQL
//   uses the old row when another transaction has just changed it.
// - LATERAL … LIMIT 1 is a look-up of one row by its key, whatever PostgreSQL believes of the size of the table. The plan
//   is kept while the table grows.
// - A comparison with NULL is neither true nor false. `IS NOT TRUE` and `coalesce` decide: no limit passes, an unknown
//   price is refused.
export const HOLD = statement<HoldRow>(
  "hold",
  ["text", "text", "text[]", "bytea[]", "numeric[]", "numeric[]", "numeric[]", "text[]", "integer[]"],
  `
  WITH key AS MATERIALIZED (
    -- Locks the key, so that its limits and counters cannot change until the holds are written.
    SELECT
      key.*,
      account.time_zone,
      account.limit_change_id AS open_limit_change_id,
      ${currentDay} AS current_day,
      ${currentMonth} AS current_month,
      ${windows.daily_limit.spent} AS spent_today,
      ${windows.daily_limit.counted} AS held_today,
      ${windows.monthly_limit.spent} AS spent_this_month,
      ${windows.monthly_limit.counted} AS held_this_month,
      ${WINDOWS.map((name) => `${countedLeft(name)} AS ${name}_left`).join(",\n      ")},
      coalesce(key.held_until <= now(), false) AS must_release
    FROM api_key key
    JOIN account ON account.id = key.account_id
    WHERE key.account_id = $1 AND key.id = $2
    FOR NO KEY UPDATE OF key
  ), asked AS (
    -- One row per hold. Its place is its turn.
    SELECT *
    FROM unnest($3::text[], $4::bytea[], $5::numeric[], $6::numeric[], $7::numeric[], $8::text[], $9::int[])
      WITH ORDINALITY AS asked(id, hash, amount, input_price, output_price, request_id, ttl_seconds, place)
  ), examined AS (
    -- Finds what refuses a hold whatever its amount is, and the authorization that its request has already.
    SELECT
      asked.*,
      earlier.id AS replayed_id,
      earlier.amount AS replayed_amount,
      earlier.expires_at AS replayed_until,
      CASE
        WHEN secret.hash IS NULL OR ${isRevoked} THEN 'key_not_found'
        WHEN earlier.id IS NOT NULL THEN 'replayed'
        ${refusalsOfKey}
      END AS obstacle
    FROM asked
    CROSS JOIN key
    -- The expressions of the state read the account from a row of this name.
    CROSS JOIN LATERAL (SELECT key.time_zone, key.open_limit_change_id AS limit_change_id) AS account
    LEFT JOIN LATERAL (
      SELECT hash
      FROM key_secret secret
      WHERE hash = asked.hash AND account_id = $1 AND key_id = $2 AND ${isValueValid}
      LIMIT 1
    ) secret ON true
    LEFT JOIN LATERAL (
      SELECT id, amount, expires_at
      FROM "authorization"
      WHERE account_id = $1 AND key_id = $2 AND request_id = asked.request_id
      LIMIT 1
    ) earlier ON true
  ), summed AS (
    -- Adds the amounts up in their order: a hold is granted when the sum up to it fits.
    SELECT
      examined.*,
      coalesce(sum(amount) FILTER (WHERE obstacle IS NULL) OVER (ORDER BY place), 0) AS running
    FROM examined
  ), judged AS (
    -- Compares the sums with what is left of each window.
    SELECT
      summed.*,
      obstacle IS NULL
        AND NOT key.must_release
        ${WINDOWS.map((name) => `AND (running > key.${name}_left) IS NOT TRUE`).join("\n        ")} AS is_granted
    FROM summed
    CROSS JOIN key
  ), granted AS (
    -- What the key's counters grow by.
    SELECT
      coalesce(sum(amount), 0) AS amount,
      count(*) AS count,
      min(now() + make_interval(secs => ttl_seconds)) AS until
    FROM judged
    WHERE is_granted
  ), counted AS (
    -- Writes the counters. Those of a day or a month that is over begin anew.
    UPDATE api_key SET
      held = key.held + granted.amount,
      day = key.current_day,
      day_spent = key.spent_today,
      day_held = key.held_today + granted.amount,
      month = key.current_month,
      month_spent = key.spent_this_month,
      month_held = key.held_this_month + granted.amount,
      held_until = LEAST(key.held_until, granted.until),
      last_used_at = now()
    FROM key, granted
    WHERE api_key.account_id = $1 AND api_key.id = $2 AND granted.count > 0
  ), inserted AS (
    -- Writes the authorizations, with the day and the month that they count in.
    INSERT INTO "authorization" (account_id, id, key_id, request_id, amount, day, month, expires_at)
    SELECT
      $1,
      judged.id,
      $2,
      judged.request_id,
      judged.amount,
      key.current_day,
      key.current_month,
      now() + make_interval(secs => judged.ttl_seconds)
    FROM judged, key
    WHERE is_granted
  )
  SELECT
    CASE
      WHEN obstacle IS NOT NULL THEN obstacle
      WHEN is_granted THEN 'granted'
      ${refusalsOfWindows("judged.amount", (name) => `key.${name}_left - granted.amount`)}
      ELSE 'undecided'
    END AS verdict,
    CASE WHEN is_granted THEN judged.id WHEN obstacle = 'replayed' THEN judged.replayed_id END AS authorization_id,
    judged.replayed_amount::float8 AS replayed_amount,
    floor(extract(epoch FROM
      CASE WHEN is_granted THEN now() + make_interval(secs => judged.ttl_seconds) ELSE judged.replayed_until END
    ))::float8 AS expires_at,
    ${WINDOWS.map(
      (name) =>
        `(key.${name}_left - CASE WHEN is_granted THEN running ELSE granted.amount END)::float8 AS ${name}_left`,
    ).join(",\n    ")},
    key.must_release
  FROM judged, key, granted
  ORDER BY judged.place`,
);
