import type { Client } from "pg";

/** How large the account is. */
export const MILLION = { keys: 1_000_000, groups: 2_000, days: 90 } as const;

/**
 * Fills an account with a million keys, as it may look after a year: 3 % are revoked, 3 % disabled, 2 % expired, 5 % over 80 %
 * of their budget and 2 % exhausted; 30 % were used, 10 % spent, and 25,000 of them on 80 of the last 90 days on average,
 * which makes 2 million totals of days. One group of two thousand has 10 % of the keys. Each key has the event of its
 * creation; 3 % of the events are of other kinds. Counters, totals of days and history agree. There is no ledger, and no
 * key has a value. Takes about two minutes.
 * @param client a superuser's connection without a time limit for statements.
 */
export async function makeMillion(client: Client, accountId: string): Promise<void> {
  // In one transaction: otherwise the upkeep of the product rolls up the first rows before the last ones are there.
  // Nothing else analyses its rows meanwhile, so it does.
  await client.query("BEGIN");
  for (const statement of STATEMENTS) {
    await client.query(statement.replaceAll("$1", client.escapeLiteral(accountId)));
    await client.query("ANALYZE");
  }
  await client.query("COMMIT");
  for (const table of [
    "api_key",
    "api_key_group",
    "key_count_change",
    "key_day",
    "rolled_key",
    "spend_span",
    "event",
    "event_key",
  ]) {
    await client.query(`VACUUM (ANALYZE) ${table}`);
  }
}

const { keys, groups, days } = MILLION;

/** A number from 0 to `below` that looks random, and is the same in each run. */
const drawn = (what: string, below: number) => `((hashint8extended(${what}, 42) & 2147483647) % ${below})::int`;
const today = `(SELECT (now() AT TIME ZONE time_zone)::date FROM account WHERE id = $1)`;

const STATEMENTS = [
  `INSERT INTO api_key_group (account_id, id, name, created_at, updated_at)
    SELECT $1, '69' || lpad(to_hex(n), 22, '0'), 'group ' || n, now() - interval '400 days', now() - interval '400 days'
    FROM generate_series(1, ${groups}) n`,

  // Each tenth key spent: each fortieth nearly every day, the others once, long ago.
  `INSERT INTO key_day (account_id, key_id, day, spent, captures)
    SELECT $1, 'sk-' || lpad((n * 40)::text, 7, '0'), ${today} - ago,
      (1 + ${drawn("n * 1000 + ago", 100_000)}) / 10000.0, 1 + ${drawn("n * 1000 + ago + 7", 40)}
    FROM generate_series(${days - 1}, 0, -1) ago, generate_series(1, ${keys / 40}) n
    WHERE ${drawn("n * 1000 + ago + 13", 90)} < 80`,
  `INSERT INTO key_day (account_id, key_id, day, spent, captures)
    SELECT $1, 'sk-' || lpad((n * 10)::text, 7, '0'), ${today} - 100 - ${drawn("n", 200)}, 1 + ${drawn("n", 1_000)}, 1
    FROM generate_series(1, ${keys / 10}) n WHERE n % 4 <> 0`,

  `CREATE TEMPORARY TABLE spent_by_key AS
    SELECT key_id, sum(spent) AS spent,
      coalesce(sum(spent) FILTER (WHERE day = ${today}), 0) AS day_spent,
      coalesce(sum(spent) FILTER (WHERE day >= date_trunc('month', ${today})), 0) AS month_spent
    FROM key_day WHERE account_id = $1 GROUP BY key_id`,

  `INSERT INTO api_key (account_id, id, name, group_id, budget, daily_limit, monthly_limit, input_price_limit,
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
    FROM (SELECT n, 'sk-' || lpad(n::text, 7, '0') AS id FROM generate_series(1, ${keys}) n) numbered
    LEFT JOIN spent_by_key ON key_id = id
    ORDER BY n`,

  `DROP TABLE spent_by_key`,

  // What the upkeep does in steps (server/usage/roll-up-queries.ts).
  `INSERT INTO rolled_key (account_id, key_id, group_id)
    SELECT $1, id, coalesce(group_id, '') FROM api_key
    WHERE account_id = $1 AND id IN (SELECT key_id FROM key_day WHERE account_id = $1 AND day < ${today})`,
  `INSERT INTO spend_span (account_id, kind, days, first, subject, spent, captures)
    SELECT $1, kind, span.days, DATE '1970-01-01' + (day - DATE '1970-01-01') / span.days * span.days, subject,
      sum(spent), sum(captures)
    FROM key_day JOIN rolled_key USING (account_id, key_id)
    CROSS JOIN LATERAL (VALUES ('account', ''), ('group', group_id), ('key', key_id)) AS whose (kind, subject)
    CROSS JOIN (VALUES (1), (5), (25)) AS span (days)
    WHERE account_id = $1 AND day < ${today} AND (kind <> 'key' OR span.days > 1)
    GROUP BY 2, 3, 4, 5`,
  `UPDATE key_day SET rolled_spent = spent, rolled_captures = captures WHERE account_id = $1 AND day < ${today}`,

  `INSERT INTO event (account_id, id, at, actor, actor_name, address, action, group_id, group_name, key_count, after)
    SELECT account_id, '68' || lpad(to_hex(row_number() OVER (ORDER BY created_at)), 22, '0'), created_at,
      CASE WHEN hashtext(id) & 7 = 0 THEN 'browser' ELSE 'rest' END, 'owner@example.com', '203.0.113.7',
      CASE WHEN hashtext(id) & 31 = 1 THEN 'key.renamed' ELSE 'key.created' END, group_id, NULL, 1,
      jsonb_build_object('name', name)
    FROM api_key WHERE account_id = $1 AND NOT is_default`,

  `INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
    SELECT account_id, '68' || lpad(to_hex(row_number() OVER (ORDER BY created_at)), 22, '0'), id, name, '{}'
    FROM api_key WHERE account_id = $1 AND NOT is_default`,
];
