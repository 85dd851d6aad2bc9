import type { Pool, PoolClient } from "pg";
import { isOfAccounts } from "../db/account-scope";
import { LOCKS } from "../db/advisory-locks";
import type { Database } from "../db/client";
import { inTransaction } from "../db/transaction";
import { TOKEN_COLUMNS } from "./schema";
import { SPAN_DAYS } from "./spans";

/** How many days of keys, or keys, one transaction rolls up. It keeps their rows locked for less than a second. */
const DAYS_AT_ONCE = 5_000;
const KEYS_AT_ONCE = 200;

/**
 * Adds what keys spent on days that are over to the totals of spans, which usage reads, and moves the totals of keys that
 * changed their group. Usage is exact whether or not this has run; it is slow for what has not been rolled up.
 * It returns when nothing is left, when `signal` aborts, or when another process rolls up: the number of days and keys.
 */
export async function rollUpSpend(
  { pool, distribution }: Pick<Database, "pool" | "distribution">,
  signal: AbortSignal,
): Promise<number> {
  let all = 0;
  for (const { accounts, work } of [
    { accounts: accountsWithDays("key_day"), work: rollUpDays(ROLL_UP_DAYS) },
    { accounts: accountsWithDays("model_day"), work: rollUpDays(ROLL_UP_MODEL_DAYS) },
    { accounts: ACCOUNTS_WITH_MOVED, work: rollUpMoved },
  ]) {
    const { rows } = await pool.query<{ account_id: string }>(accounts);
    for (const part of distribution.partsOf(rows.map(({ account_id }) => account_id))) {
      for (let last = 1; !signal.aborted && last > 0; all += last) last = await locked(pool, part, work);
    }
  }
  return all;
}

/** Rolls up some of what is due of accounts, and returns how much. */
type Work = (client: PoolClient, accounts: readonly string[]) => Promise<number>;

/** Does work under the lock, in a transaction. */
function locked(pool: Pool, accounts: readonly string[], work: Work): Promise<number> {
  return inTransaction(pool, async (client) => {
    // The lock is a statement of its own: the next one then sees what another process has rolled up.
    const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", [
      LOCKS.rollUp,
    ]);
    return rows[0]?.free ? work(client, accounts) : 0;
  });
}

function rollUpDays(statement: string): Work {
  return async (client, accounts) => {
    const { rows } = await client.query<{ count: number }>(statement, [accounts, DAYS_AT_ONCE]);
    return rows[0]?.count ?? 0;
  };
}

/**
 * The keys are locked by a statement of their own. Who moves one of them later waits, and the next statement sees the group of
 * who moved it before. One statement alone could read the old group of a key whose move was committed before it had the lock.
 */
async function rollUpMoved(client: PoolClient, accounts: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ account_id: string; key_id: string }>(LOCK_MOVED, [accounts, KEYS_AT_ONCE]);
  if (rows.length === 0) return 0;
  await client.query(ROLL_UP_MOVED, [
    accounts,
    rows.map(({ account_id }) => account_id),
    rows.map(({ key_id }) => key_id),
  ]);
  return rows.length;
}

const spanDays = SPAN_DAYS.map((days) => `(${days})`).join(", ");
const firstOfSpan = "DATE '1970-01-01' + (day - DATE '1970-01-01') / span.days * span.days";

// Totals are written in the order of their keys, so that two transactions cannot meet in a deadlock.
const addToSpans = `ON CONFLICT (account_id, kind, days, first, subject)
  DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + EXCLUDED.captures`;

const isDue = "NOT total.is_rolled AND total.day < (now() AT TIME ZONE account.time_zone)::date";

const modelColumns = (of: (column: string) => string) => ["spent", "captures", ...TOKEN_COLUMNS].map(of).join(", ");
const addToModelSpans = `ON CONFLICT (account_id, kind, days, first, subject, model)
  DO UPDATE SET ${modelColumns((column) => `${column} = total.${column} + EXCLUDED.${column}`)}`;

function accountsWithDays(table: "key_day" | "model_day"): string {
  return `
  SELECT DISTINCT total.account_id FROM ${table} total JOIN account ON account.id = total.account_id WHERE ${isDue}`;
}

const ACCOUNTS_WITH_MOVED = "SELECT DISTINCT account_id FROM moved_key";

/** The group in which each of the days counts. The first one of a key notes it. */
const PLACED = `placed AS MATERIALIZED (
    SELECT due.*, coalesce(rolled.group_id, key.group_id, '') AS group_id
    FROM due
    JOIN api_key key ON ${isOfAccounts("key", "$1")} AND key.account_id = due.account_id AND key.id = due.key_id
    LEFT JOIN rolled_key rolled
      ON ${isOfAccounts("rolled", "$1")} AND rolled.account_id = due.account_id AND rolled.key_id = due.key_id
  ), noted AS (
    INSERT INTO rolled_key (account_id, key_id, group_id)
    SELECT DISTINCT account_id, key_id, group_id FROM placed
    ON CONFLICT DO NOTHING
  )`;

/**
 * Rolls up `$2` days of keys of the accounts `$1`. A day that a capture writes at this moment is left for the next time. The days of a key
 * count in the group that it was in when its first one was rolled up, until `ROLL_UP_MOVED` moves them.
 */
const ROLL_UP_DAYS = `
  WITH due AS MATERIALIZED (
    SELECT total.account_id, total.key_id, total.day, total.spent - total.rolled_spent AS spent,
      total.captures - total.rolled_captures AS captures
    FROM key_day total
    JOIN account ON account.id = total.account_id
    WHERE total.account_id = ANY($1::text[]) AND ${isDue}
    LIMIT $2
    FOR UPDATE OF total SKIP LOCKED
  ), rolled AS (
    UPDATE key_day total SET rolled_spent = total.spent, rolled_captures = total.captures
    FROM due
    WHERE ${isOfAccounts("total", "$1")} AND total.account_id = due.account_id AND total.key_id = due.key_id AND total.day = due.day
  ), ${PLACED}, added AS (
    INSERT INTO spend_span AS total (account_id, kind, days, first, subject, spent, captures)
    SELECT account_id, kind, days, ${firstOfSpan}, subject, sum(spent), sum(captures)
    FROM placed
    CROSS JOIN LATERAL (VALUES ('account', ''), ('group', group_id), ('key', key_id)) AS whose (kind, subject)
    CROSS JOIN (VALUES ${spanDays}) AS span (days)
    WHERE kind <> 'key' OR days > 1
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ${addToSpans}
  )
  SELECT count(*)::int AS count FROM due`;

/** The same of days by model, of the account and of groups. */
const ROLL_UP_MODEL_DAYS = `
  WITH due AS MATERIALIZED (
    SELECT total.account_id, total.key_id, total.day, total.model,
      ${modelColumns((column) => `total.${column} - total.rolled_${column} AS ${column}`)}
    FROM model_day total
    JOIN account ON account.id = total.account_id
    WHERE total.account_id = ANY($1::text[]) AND ${isDue}
    LIMIT $2
    FOR UPDATE OF total SKIP LOCKED
  ), rolled AS (
    UPDATE model_day total SET ${modelColumns((column) => `rolled_${column} = total.${column}`)}
    FROM due
    WHERE ${isOfAccounts("total", "$1")} AND total.account_id = due.account_id AND total.key_id = due.key_id AND total.day = due.day
      AND total.model = due.model
  ), ${PLACED}, added AS (
    INSERT INTO model_span AS total (account_id, kind, days, first, subject, model, ${modelColumns((column) => column)})
    SELECT account_id, kind, days, ${firstOfSpan}, subject, model, ${modelColumns((column) => `sum(${column})`)}
    FROM placed
    CROSS JOIN LATERAL (VALUES ('account', ''), ('group', group_id)) AS whose (kind, subject)
    CROSS JOIN (VALUES ${spanDays}) AS span (days)
    GROUP BY 1, 2, 3, 4, 5, 6
    ORDER BY 1, 2, 3, 4, 5, 6
    ${addToModelSpans}
  )
  SELECT count(*)::int AS count FROM due`;

/** Locks `$2` keys of the accounts `$1` whose group has changed. One that changes its group at this moment is left for the next time. */
const LOCK_MOVED =
  "SELECT account_id, key_id FROM moved_key WHERE account_id = ANY($1::text[]) LIMIT $2 FOR UPDATE SKIP LOCKED";

/** Moves the days that are rolled up of keys of the accounts `$1` to the group that each key is in: keys `$3` of accounts `$2`. */
const ROLL_UP_MOVED = `
  WITH due AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[]) AS locked (account_id, key_id)
  ), taken AS (
    DELETE FROM moved_key moved USING due
    WHERE ${isOfAccounts("moved", "$1")} AND moved.account_id = due.account_id AND moved.key_id = due.key_id
  ), placed AS MATERIALIZED (
    SELECT due.account_id, due.key_id, rolled.group_id AS old_group, coalesce(key.group_id, '') AS new_group
    FROM due
    JOIN api_key key ON ${isOfAccounts("key", "$1")} AND key.account_id = due.account_id AND key.id = due.key_id
    JOIN rolled_key rolled
      ON ${isOfAccounts("rolled", "$1")} AND rolled.account_id = due.account_id AND rolled.key_id = due.key_id
    WHERE rolled.group_id <> coalesce(key.group_id, '')
  ), noted AS (
    UPDATE rolled_key rolled SET group_id = placed.new_group
    FROM placed
    WHERE ${isOfAccounts("rolled", "$1")} AND rolled.account_id = placed.account_id AND rolled.key_id = placed.key_id
  ), added AS (
    INSERT INTO spend_span AS total (account_id, kind, days, first, subject, spent, captures)
    SELECT placed.account_id, 'group', span.days, ${firstOfSpan}, change.group_id,
      sum(change.sign * rolled_spent), sum(change.sign * rolled_captures)
    FROM placed
    JOIN key_day ON ${isOfAccounts("key_day", "$1")} AND key_day.account_id = placed.account_id AND key_day.key_id = placed.key_id
      AND key_day.rolled_captures > 0
    CROSS JOIN LATERAL (VALUES (old_group, -1), (new_group, 1)) AS change (group_id, sign)
    CROSS JOIN (VALUES ${spanDays}) AS span (days)
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ${addToSpans}
  ), added_by_model AS (
    INSERT INTO model_span AS total (account_id, kind, days, first, subject, model, ${modelColumns((column) => column)})
    SELECT placed.account_id, 'group', span.days, ${firstOfSpan}, change.group_id, model,
      ${modelColumns((column) => `sum(change.sign * rolled_${column})`)}
    FROM placed
    JOIN model_day ON ${isOfAccounts("model_day", "$1")} AND model_day.account_id = placed.account_id
      AND model_day.key_id = placed.key_id AND model_day.rolled_captures > 0
    CROSS JOIN LATERAL (VALUES (old_group, -1), (new_group, 1)) AS change (group_id, sign)
    CROSS JOIN (VALUES ${spanDays}) AS span (days)
    GROUP BY 1, 2, 3, 4, 5, 6
    ORDER BY 1, 2, 3, 4, 5, 6
    ${addToModelSpans}
  )
  SELECT 1`;
