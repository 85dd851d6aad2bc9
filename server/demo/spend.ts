/** The demo data has spend on so many days, of at most so many keys. */
const DAYS = 45;
const SPENDERS = 2_000;

/**
 * Lets demo keys spend on the last days, within their limits: one captured authorization a day, with ledger and totals that
 * agree. `$1` is the account, `$2` the seed. Both decide what a key spent on a day. `COUNTERS_OF_DEMO` follows.
 */
export const SPEND_OF_DEMO = `WITH local AS (
    SELECT id AS account_id, time_zone, (now() AT TIME ZONE time_zone)::date AS today FROM account WHERE id = $1
  ), spender AS (
    SELECT key.*, local.today, local.time_zone FROM api_key key CROSS JOIN local
    WHERE key.account_id = $1 AND NOT is_default AND revoked_at IS NULL AND disabled_at IS NULL AND hashtextextended(id, $2) % 3 <> 0
    ORDER BY id LIMIT ${SPENDERS}
  ), drawn AS (
    SELECT spender.*, passing::date AS spent_on, abs(hashtextextended(spender.id || passing::date, $2) % 1000) / 1000.0 AS share
    FROM spender CROSS JOIN generate_series(today - ${DAYS - 1}, today, '1 day') AS passing
    WHERE passing::date > (created_at AT TIME ZONE time_zone)::date AND (expiry_date IS NULL OR passing::date <= expiry_date)
  ), spent AS (
    SELECT account_id, id AS key_id, spent_on AS day, today,
      substr(md5(id || spent_on), 1, 24) AS authorization_id,
      (spent_on + interval '9 hours') AT TIME ZONE time_zone AS at,
      round(share * LEAST(NULLIF(daily_limit, 0), NULLIF(monthly_limit, 0) / 32, NULLIF(budget, 0) / ${DAYS}, 60), 4) AS amount
    FROM drawn WHERE share > 0.15
  ), authorized AS (
    INSERT INTO "authorization" (account_id, id, key_id, amount, state, day, month, created_at, expires_at, settled_at, captured)
    SELECT account_id, authorization_id, key_id, amount, 'captured', day, date_trunc('month', day)::date,
      LEAST(at, now()), LEAST(at, now()) + interval '10 minutes', LEAST(at, now()), amount
    FROM spent
  ), recorded AS (
    INSERT INTO ledger (account_id, authorization_id, key_id, recorded_on, recorded_at, day, amount, overrun, late)
    SELECT account_id, authorization_id, key_id, (LEAST(at, now()) AT TIME ZONE 'UTC')::date, LEAST(at, now()), day, amount,
      false, false
    FROM spent
  ), totals AS (
    INSERT INTO key_day (account_id, key_id, day, spent, captures)
    SELECT account_id, key_id, day, amount, 1 FROM spent
  )
  SELECT count(*) FROM spent`;

/**
 * Writes the counters of these keys: `$1` is the account, `$2` today in its zone, `$3` the first day of the month. A distributed
 * database computes no moment beside the columns of a row that it changes.
 */
export const COUNTERS_OF_DEMO = `UPDATE api_key key SET spent = sums.spent, day = $2, day_spent = sums.day_spent,
    month = $3, month_spent = sums.month_spent, last_used_at = used.last_used_at
  FROM (
    SELECT key_id, sum(spent) AS spent, coalesce(sum(spent) FILTER (WHERE day = $2::date), 0) AS day_spent,
      coalesce(sum(spent) FILTER (WHERE day >= $3::date), 0) AS month_spent
    FROM key_day WHERE account_id = $1 GROUP BY key_id
  ) sums JOIN (
    SELECT key_id, max(settled_at) AS last_used_at FROM "authorization" WHERE account_id = $1 GROUP BY key_id
  ) used USING (key_id)
  WHERE key.account_id = $1 AND key.id = sums.key_id`;
