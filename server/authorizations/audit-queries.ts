import type { ClientBase } from "pg";
import { isDistributed } from "../db/distribution";
import type { Progress } from "../progress";
import { TOKEN_COLUMNS } from "../usage/schema";
import { ROLL_UP_CHECKS } from "./audit-roll-ups";

/** What the audit compared. Amounts are exact decimals in yuan. */
export interface BookCounts {
  keys: number;
  authorizations: number;
  open_authorizations: number;
  ledger_rows: number;
  key_days: number;
  model_days: number;
  /** Totals of days that are over, which usage reads. */
  spend_spans: number;
  model_spans: number;
  spent: string;
  held: string;
  /** The first day whose captures are all still in the ledger; null: every day. */
  ledger_from: string | null;
}

/** Two places that should have the same value, and have not. Amounts are exact decimals in yuan. */
export interface BookDifference {
  check: string;
  account_id: string;
  /** Null where the value is of a group, or of the whole account. */
  apikey_id: string | null;
  /** The group whose value it is; '' is that of the keys in no group. */
  group_id: string | null;
  /** The day, the days, or the authorization that the value belongs to, with the model where it is of one. */
  of: string | null;
  expected: string | null;
  found: string | null;
}

/**
 * Compares counters, totals of days, ledger, authorizations, and what is added up from them, in one snapshot of the database.
 * It changes nothing and blocks no other statement. See docs/api.md#ledger.
 * @param retentionDays for how many days the ledger is kept.
 * @param onProgress counts comparisons.
 */
export async function auditBooks(
  client: ClientBase,
  retentionDays: number,
  onProgress: Progress = () => {},
): Promise<{ counts: BookCounts; differences: BookDifference[] }> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    // A large ledger takes longer than a statement of a request may take.
    await client.query("SET LOCAL statement_timeout = 0");
    // A snapshot belongs to a connection. Of several servers, each is asked on one.
    if (await isDistributed(client)) await client.query("SET LOCAL citus.max_adaptive_executor_pool_size = 1");
    const { rows: horizons } = await client.query<{ first: string | null }>(HORIZON, [retentionDays]);
    const from = horizons[0]?.first ?? null;
    const { rows: counts } = await client.query<BookCounts>(COUNTS, [from]);
    const differences: BookDifference[] = [];
    const { rows: deleted } = await client.query<{ id: string }>("SELECT id FROM account WHERE deleted_at IS NOT NULL");
    // What is being deleted is deleted table by table.
    const leftOut = deleted.map(({ id }) => id);
    const checks = [
      { check: COUNTERS, values: [] },
      { check: HELD_UNTIL, values: [] },
      { check: TOTALS, values: [from] },
      { check: TOTALS_BY_MODEL, values: [from] },
      { check: LEDGER, values: [from] },
      ...ROLL_UP_CHECKS.map((check) => ({ check, values: [] })),
    ];
    for (const [i, { check, values }] of checks.entries()) {
      onProgress(i + 1, checks.length + 1);
      const text = `SELECT * FROM (${check}) difference WHERE account_id <> ALL ($${values.length + 1}::text[])`;
      const { rows } = await client.query<BookDifference>(text, [...values, leftOut]);
      for (const difference of rows) differences.push(difference);
    }
    return { counts: counts[0] as BookCounts, differences };
  } finally {
    await client.query("ROLLBACK");
  }
}

// Authorizations that are older than the retention are deleted, and so are partitions of the ledger, at different moments; the rows
// of `ledger_other` stay longer. Where there may be such days, they cannot be compared any more. A capture that was recorded on
// one day (UTC) may belong to the day before or after in the account's zone. When the totals reach further back than the ledger,
// it may have been kept for a shorter time before.
const HORIZON = `SELECT GREATEST(
    CASE WHEN oldest < first - 1 THEN first + 2 END,
    CASE WHEN oldest < whole THEN whole END
  )::text AS first
  FROM (
    SELECT LEAST((SELECT min(recorded_on) FROM ledger_other), min(to_date(right(relname, 8), 'YYYYMMDD'))) AS first,
      (SELECT min(day) FROM key_day) AS oldest, (now() AT TIME ZONE 'UTC')::date - $1::int + 2 AS whole
    FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
    WHERE inhparent = 'ledger'::regclass AND relname ~ '^ledger_\\d{8}$'
  ) kept`;

const COUNTS = `SELECT
    (SELECT count(*) FROM api_key)::float8 AS keys,
    (SELECT count(*) FROM "authorization")::float8 AS authorizations,
    (SELECT count(*) FROM "authorization" WHERE state = 'held')::float8 AS open_authorizations,
    (SELECT count(*) FROM ledger)::float8 AS ledger_rows,
    (SELECT count(*) FROM key_day)::float8 AS key_days,
    (SELECT count(*) FROM model_day)::float8 AS model_days,
    (SELECT count(*) FROM spend_span)::float8 AS spend_spans,
    (SELECT count(*) FROM model_span)::float8 AS model_spans,
    (SELECT coalesce(sum(spent), 0)::text FROM api_key) AS spent,
    (SELECT coalesce(sum(held), 0)::text FROM api_key) AS held,
    $1::text AS ledger_from`;

/** The counters of each key against its days and its open authorizations. */
const COUNTERS = `WITH spent AS (
    SELECT total.account_id, total.key_id, sum(total.spent) AS ever,
      sum(total.spent) FILTER (WHERE total.day = key.day) AS of_day,
      sum(total.spent) FILTER (WHERE date_trunc('month', total.day) = key.month) AS of_month
    FROM key_day total LEFT JOIN api_key key ON key.account_id = total.account_id AND key.id = total.key_id
    GROUP BY total.account_id, total.key_id
  ), held AS (
    SELECT open.account_id, open.key_id, sum(open.amount) AS ever, count(*) AS holds,
      sum(open.amount) FILTER (WHERE open.day = key.day) AS of_day,
      sum(open.amount) FILTER (WHERE open.month = key.month) AS of_month
    FROM "authorization" open LEFT JOIN api_key key ON key.account_id = open.account_id AND key.id = open.key_id
    WHERE open.state = 'held' GROUP BY open.account_id, open.key_id
  )
  SELECT compared.name AS check, account_id, key_id AS apikey_id, NULL AS group_id, compared.of::text, compared.expected::text,
    compared.found::text
  FROM (SELECT id AS key_id, api_key.* FROM api_key) key
  FULL JOIN spent USING (account_id, key_id) FULL JOIN held USING (account_id, key_id)
  CROSS JOIN LATERAL (VALUES
    ('spent', NULL, coalesce(spent.ever, 0), key.spent),
    ('held', NULL, coalesce(held.ever, 0), key.held),
    ('open_holds', NULL, coalesce(held.holds, 0), key.open_holds),
    ('day_spent', key.day, coalesce(spent.of_day, 0), key.day_spent),
    ('day_held', key.day, coalesce(held.of_day, 0), key.day_held),
    ('month_spent', key.month, coalesce(spent.of_month, 0), key.month_spent),
    ('month_held', key.month, coalesce(held.of_month, 0), key.month_held)
  ) AS compared(name, of, expected, found)
  WHERE compared.expected IS DISTINCT FROM compared.found`;

/** A key looks for expired holds from `held_until` on. That must not be later than the first of them expires. */
const HELD_UNTIL = `SELECT 'held_until' AS check, key.account_id, key.id AS apikey_id, NULL AS group_id, NULL AS of,
    open.first::text AS expected, key.held_until::text AS found
  FROM api_key key JOIN (
    SELECT account_id, key_id, min(expires_at) AS first FROM "authorization" WHERE state = 'held' GROUP BY 1, 2
  ) open ON open.account_id = key.account_id AND open.key_id = key.id
  WHERE (key.held_until <= open.first) IS NOT TRUE`;

/** The totals of the days against the ledger. */
const TOTALS = `SELECT compared.name AS check, account_id, key_id AS apikey_id, NULL AS group_id, day::text AS of, compared.expected::text,
    compared.found::text
  FROM (
    SELECT account_id, key_id, day, sum(amount) AS spent, count(*) AS captures FROM ledger GROUP BY 1, 2, 3
  ) recorded FULL JOIN key_day total USING (account_id, key_id, day)
  CROSS JOIN LATERAL (VALUES
    ('key_day.spent', coalesce(recorded.spent, 0), coalesce(total.spent, 0)),
    ('key_day.captures', coalesce(recorded.captures, 0), coalesce(total.captures, 0))
  ) AS compared(name, expected, found)
  WHERE compared.expected <> compared.found AND ($1::date IS NULL OR day >= $1::date)`;

/** The totals of the days by model against the ledger. */
const TOTALS_BY_MODEL = `SELECT compared.name AS check, account_id, key_id AS apikey_id, NULL AS group_id, day || ' ' || model AS of,
    compared.expected::text, compared.found::text
  FROM (
    SELECT account_id, key_id, day, model, sum(amount) AS spent, count(*) AS captures, sum(input_tokens) AS input_tokens,
      sum(cached_input_tokens) AS cached_input_tokens, sum(output_tokens) AS output_tokens
    FROM ledger WHERE model IS NOT NULL GROUP BY 1, 2, 3, 4
  ) recorded FULL JOIN model_day total USING (account_id, key_id, day, model)
  CROSS JOIN LATERAL (VALUES
    ${["spent", "captures", ...TOKEN_COLUMNS]
      .map((column) => `('model_day.${column}', coalesce(recorded.${column}, 0), coalesce(total.${column}, 0))`)
      .join(",\n    ")}
  ) AS compared(name, expected, found)
  WHERE compared.expected <> compared.found AND ($1::date IS NULL OR day >= $1::date)`;

/**
 * The ledger against the authorizations that were captured, one by one. A process of an older version, which runs beside this
 * one during an upgrade, captures an authorization by model as if it had none.
 */
const LEDGER = `SELECT 'ledger' AS check, account_id, coalesce(captured.key_id, recorded.key_id) AS apikey_id, NULL AS group_id,
    id AS of,
    captured.line || coalesce(' ' || captured.model, '') AS expected,
    recorded.line || coalesce(' ' || recorded.model, '') AS found
  FROM (
    SELECT account_id, id, key_id, concat_ws(' ', key_id, day, captured, overrun, late,
        usage ->> 'input_tokens', usage ->> 'cached_input_tokens', usage ->> 'output_tokens') AS line,
      quote ->> 'model' AS model
    FROM "authorization" WHERE state = 'captured' AND ($1::date IS NULL OR settled_at >= $1::date::timestamp AT TIME ZONE 'UTC')
  ) captured FULL JOIN (
    SELECT account_id, authorization_id AS id, key_id, concat_ws(' ', key_id, day, amount, overrun, late,
        input_tokens, cached_input_tokens, output_tokens) AS line, model
    FROM ledger WHERE $1::date IS NULL OR recorded_on >= $1::date
  ) recorded USING (account_id, id)
  WHERE captured.line IS DISTINCT FROM recorded.line OR recorded.model <> coalesce(captured.model, '')`;
