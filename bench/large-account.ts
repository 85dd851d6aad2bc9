import type { Client } from "pg";
import { sized } from "./quick";

/** How large an account is. */
export interface Size {
  keys: number;
  groups: number;
  /** Days up to today on which keys spent. */
  days: number;
  /** On how many of these days a key spent: SQL on `n`, the number of the key. */
  spendingDays: string;
}

/** An account of many keys, of which a few spend: 25,000 of them on 80 of 90 days, on average. */
export const MILLION: Size = {
  keys: 1_000_000,
  groups: 2_000,
  days: 90,
  spendingDays: "CASE WHEN n % 40 = 0 THEN 80 ELSE 0 END",
};

/** An account in which every key spends: a tenth of the keys nearly every day, three tenths twice a week, the others twice a month. */
export const SPENDING: Size = {
  keys: sized(100_000, 2_000),
  groups: sized(500, 20),
  days: 90,
  spendingDays: "CASE WHEN n % 10 = 0 THEN 80 WHEN n % 10 < 4 THEN 26 ELSE 6 END",
};

/** How many models the keys of an account use. Some are used by many keys, and most by few. */
export const MODELS = 60;

/**
 * Fills an account with keys, as it may look after a year: 3 % are revoked, 3 % disabled, 2 % expired, 5 % over 80 %
 * of their budget and 2 % exhausted, if they spent. Where few keys spend, others spent once, long ago. One group has 10 % of
 * the keys. A key uses 1 to 4 models; each eighth key spends by amounts alone. Each key has the event of its creation; 3 % of
 * the events are of other kinds. Counters, totals of days and history agree. There is no ledger, and no key has a value.
 * A million keys take about four minutes.
 * @param client a superuser's connection without a time limit for statements.
 */
export async function makeLargeAccount(client: Client, accountId: string, size: Size): Promise<void> {
  // In one transaction: otherwise the upkeep of the product rolls up the first rows before the last ones are there.
  // Nothing else analyses its rows meanwhile, so it does.
  await client.query("BEGIN");
  await client.query("SET LOCAL work_mem = '256MB'");
  const statements = statementsOf(size);
  for (const [table, statement] of statements) {
    await client.query(statement.replaceAll("$1", client.escapeLiteral(accountId)));
    await client.query(`ANALYZE ${table}`);
  }
  await client.query("COMMIT");
  for (const table of new Set(["key_count_change", ...statements.map(([table]) => table)])) {
    await client.query(`VACUUM (ANALYZE) ${table}`);
  }
}

/** A number from 0 to `below` that looks random, and is the same in each run. */
const drawn = (what: string, below: number) => `((hashint8extended(${what}, 42) & 2147483647) % ${below})::int`;
const today = `(SELECT (now() AT TIME ZONE time_zone)::date FROM account WHERE id = $1)`;

/** Whether the event of a key is that of a new name, and not that of its creation. */
const isRenamed = "hashtext(id) & 31 = 1";

/** What the upkeep rolls up: days that are over, in spans that begin at multiples of their lengths (server/usage/spans.ts). */
const spanLengths = "(VALUES (1), (5), (25)) AS span (days)";
const firstOfSpan = "DATE '1970-01-01' + (day - DATE '1970-01-01') / span.days * span.days";
const tokens = ["input_tokens", "cached_input_tokens", "output_tokens"];
const modelColumns = (of: (column: string) => string) => ["spent", "captures", ...tokens].map(of).join(", ");

/** An id as the product draws them, which is random in base 62 behind its prefix: its last five digits are `n`. */
const idOf = (n: string) =>
  `'sk-' || left(translate(encode(decode(md5((${n})::text), 'hex'), 'base64'), '+/', 'Zz'), 2) || lpad(to_hex(${n}), 5, '0')`;
const numberOf = (id: string) => `('x' || right(${id}, 5))::bit(20)::int::bigint`;

/** The columns of what is in the totals of spans already: all of it where `isRolled`, and otherwise nothing. */
const rolled = (isRolled: string, columns: string[]) =>
  columns.map((column) => `CASE WHEN ${isRolled} THEN ${column} ELSE 0 END`).join(", ");

/** The statements that fill it, each with the table that it writes to. */
const statementsOf = ({ keys, groups, days, spendingDays }: Size): [string, string][] => [
  [
    "api_key_group",
    `INSERT INTO api_key_group (account_id, id, name, created_at, updated_at)
    SELECT $1, '69' || lpad(to_hex(n), 22, '0'), 'group ' || n, now() - interval '400 days', now() - interval '400 days'
    FROM generate_series(1, ${groups}) n`,
  ],

  [
    "key_day",
    `INSERT INTO key_day (account_id, key_id, day, spent, captures, rolled_spent, rolled_captures)
    SELECT $1, ${idOf("n")}, ${today} - ago, spent, captures, ${rolled("ago > 0", ["spent", "captures"])}
    FROM (SELECT n, ${spendingDays} AS spending_days FROM generate_series(1, ${keys}) n) spender
    CROSS JOIN generate_series(${days - 1}, 0, -1) ago
    CROSS JOIN LATERAL (
      SELECT (1 + ${drawn("n * 1000 + ago", 100_000)}) / 10000.0 AS spent, 1 + ${drawn("n * 1000 + ago + 7", 40)} AS captures
    ) AS of_day
    WHERE spending_days > 0 AND ${drawn("n * 1000 + ago + 13", days)} < spending_days
    ORDER BY ago DESC, n`,
  ],
  // Of those that did not spend in these days, each tenth spent once, long ago.
  [
    "key_day",
    `INSERT INTO key_day (account_id, key_id, day, spent, captures, rolled_spent, rolled_captures)
    SELECT $1, ${idOf("n")}, ${today} - 100 - ${drawn("n", 200)}, 1 + ${drawn("n", 1_000)}, 1,
      1 + ${drawn("n", 1_000)}, 1
    FROM generate_series(10, ${keys}, 10) n WHERE ${spendingDays} = 0`,
  ],

  // A key has a favourite model, which has the rest of what the parts of its day do not share evenly.
  [
    "model_day",
    `INSERT INTO model_day (account_id, key_id, day, model, ${modelColumns((column) => column)},
      ${modelColumns((column) => `rolled_${column}`)})
    SELECT $1, key_id, day, 'model-' || lpad(((favourite + part * 11) % ${MODELS})::text, 2, '0'),
      ${modelColumns((column) => column)}, ${rolled(`day < ${today}`, ["spent", "captures", ...tokens])}
    FROM (
      SELECT key_id, day, spent AS day_spent, captures AS day_captures, favourite, parts, trunc(spent / parts, 9) AS each
      FROM key_day
      CROSS JOIN LATERAL (SELECT ${numberOf("key_id")} AS n) AS numbered
      CROSS JOIN LATERAL (
        SELECT floor(${MODELS} * power(${drawn("n + 19", 10_000)} / 10000.0, 3))::int AS favourite,
          least(captures, 1 + ${drawn("n * 1000 + (day - DATE '2000-01-01')", 840)}
            % (ARRAY[1, 1, 1, 1, 1, 2, 2, 2, 3, 4])[1 + ${drawn("n + 17", 10)}]) AS parts
      ) AS of_key
      WHERE account_id = $1 AND ${drawn("n + 31", 8)} <> 0
    ) shared
    CROSS JOIN generate_series(0, parts - 1) part
    CROSS JOIN LATERAL (
      SELECT CASE WHEN part = 0 THEN day_spent - (parts - 1) * each ELSE each END AS spent,
        CASE WHEN part = 0 THEN day_captures - (parts - 1) * (day_captures / parts) ELSE day_captures / parts END AS captures
    ) AS share
    CROSS JOIN LATERAL (
      SELECT captures * 1500 AS input_tokens, captures * 400 AS cached_input_tokens, captures * 300 AS output_tokens
    ) AS used
    ORDER BY day, key_id`,
  ],

  [
    "api_key",
    `WITH spent_by_key AS (
      SELECT key_id, sum(spent) AS spent,
        coalesce(sum(spent) FILTER (WHERE day = ${today}), 0) AS day_spent,
        coalesce(sum(spent) FILTER (WHERE day >= date_trunc('month', ${today})), 0) AS month_spent
      FROM key_day WHERE account_id = $1 GROUP BY key_id
    )
    INSERT INTO api_key (account_id, id, name, group_id, budget, daily_limit, monthly_limit, input_price_limit,
      output_price_limit, expiry_date, disabled_at, revoked_at, created_at, last_used_at, spent, day, day_spent, month, month_spent)
    SELECT $1, id,
      (ARRAY['checkout', 'ticket-bot', 'crawler', 'indexer', 'newsletter', 'contract-reader', '知识库', 'faq'])[1 + n % 8]
        || '-' || (ARRAY['production', 'staging', 'development', 'ci', 'batch'])[1 + n % 5] || '-' || ${drawn("n", 1000)},
      CASE WHEN n % 20 <> 19 THEN '69' || lpad(to_hex(CASE WHEN n % 10 = 1 THEN 1 ELSE 1 + ${drawn("n + 1", groups)} END), 22, '0') END,
      CASE
        WHEN spent > 0 AND n % 100 < 20 THEN round(spent, 4)
        WHEN spent > 0 AND n % 100 < 50 THEN round(spent / 0.85, 4)
        WHEN n % 5 <> 4 THEN 10000 + ${drawn("n + 2", 10_000)}
      END,
      CASE WHEN n % 2 = 0 THEN 500 + ${drawn("n + 3", 50)} * 10 END,
      CASE WHEN n % 10 < 4 THEN 5000 + ${drawn("n + 4", 50)} * 100 END,
      CASE WHEN n % 10 < 7 THEN 2 << (n % 4)::int END,
      CASE WHEN n % 10 < 7 THEN 6 << (n % 4)::int END,
      CASE WHEN n % 50 = 3 THEN ${today} - 2 - ${drawn("n + 5", 100)}::int WHEN n % 4 = 1 THEN ${today} + ${drawn("n + 5", 365)}::int END,
      CASE WHEN n % 100 IN (5, 37, 71) THEN now() - interval '10 days' END,
      CASE WHEN n % 100 IN (9, 43, 70) THEN now() - interval '20 days' END,
      now() - interval '399 days' + n * interval '34 seconds',
      CASE WHEN spent > 0 THEN now() - ${drawn("n + 6", 1_000_000)} * interval '1 second'
        WHEN n % 10 IN (2, 6) THEN now() - interval '1 day' * (91 + ${drawn("n + 6", 200)}) END,
      coalesce(spent, 0),
      CASE WHEN spent > 0 THEN ${today} WHEN n % 10 IN (2, 6) THEN ${today} - 91 END,
      coalesce(day_spent, 0),
      date_trunc('month', CASE WHEN spent > 0 THEN ${today} WHEN n % 10 IN (2, 6) THEN ${today} - 91 END)::date,
      coalesce(month_spent, 0)
    FROM (SELECT n, ${idOf("n")} AS id FROM generate_series(1, ${keys}) n) numbered
    LEFT JOIN spent_by_key ON key_id = id
    ORDER BY n`,
  ],

  // What the upkeep does in steps (server/usage/roll-up-queries.ts).
  [
    "rolled_key",
    `INSERT INTO rolled_key (account_id, key_id, group_id)
    SELECT $1, id, coalesce(group_id, '') FROM api_key
    WHERE account_id = $1 AND id IN (SELECT key_id FROM key_day WHERE account_id = $1 AND day < ${today})`,
  ],
  [
    "spend_span",
    `INSERT INTO spend_span (account_id, kind, days, first, subject, spent, captures)
    SELECT $1, kind, span.days, ${firstOfSpan}, subject, sum(spent), sum(captures)
    FROM key_day JOIN rolled_key USING (account_id, key_id)
    CROSS JOIN LATERAL (VALUES ('account', ''), ('group', group_id), ('key', key_id)) AS whose (kind, subject)
    CROSS JOIN ${spanLengths}
    WHERE account_id = $1 AND day < ${today} AND (kind <> 'key' OR span.days > 1)
    GROUP BY 2, 3, 4, 5`,
  ],
  [
    "model_span",
    `INSERT INTO model_span (account_id, kind, days, first, subject, model, ${modelColumns((column) => column)})
    SELECT $1, kind, span.days, ${firstOfSpan}, subject, model, ${modelColumns((column) => `sum(${column})`)}
    FROM model_day JOIN rolled_key USING (account_id, key_id)
    CROSS JOIN LATERAL (VALUES ('account', ''), ('group', group_id)) AS whose (kind, subject)
    CROSS JOIN ${spanLengths}
    WHERE account_id = $1 AND day < ${today}
    GROUP BY 2, 3, 4, 5, 6`,
  ],

  [
    "event",
    `INSERT INTO event (account_id, id, at, actor, actor_name, address, action, group_id, group_name, key_count, after)
    SELECT account_id, '68' || lpad(to_hex(row_number() OVER (ORDER BY created_at)), 22, '0'), created_at,
      CASE WHEN hashtext(id) & 7 = 0 THEN 'browser' ELSE 'rest' END, 'owner@example.com', '203.0.113.7',
      CASE WHEN ${isRenamed} THEN 'key.renamed' ELSE 'key.created' END, group_id, NULL, 1,
      jsonb_build_object('name', name)
    FROM api_key WHERE account_id = $1 AND NOT is_default`,
  ],

  [
    "event_key",
    `INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
    SELECT account_id, '68' || lpad(to_hex(row_number() OVER (ORDER BY created_at)), 22, '0'), id, name,
      CASE WHEN ${isRenamed} THEN jsonb_build_object('name', name) ELSE '{}' END
    FROM api_key WHERE account_id = $1 AND NOT is_default`,
  ],
];
