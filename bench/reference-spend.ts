import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";

// Spend in the reference server: the statements of the product, one for each call, without coalescing.

interface Owner {
  account_id: string;
  key_id: string;
}

/** The key of each value and of each authorization. The product remembers them too. */
const owners = new Map<string, Owner>();
const places = new Map<string, Owner>();

export async function authorize(pool: Pool, body: { apikey: string; amount: number }): Promise<object> {
  const hash = createHash("sha256").update(body.apikey).digest();
  const owner = owners.get(body.apikey) ?? (await findOwner(pool, hash));
  if (!owner) return { success: true, allowed: false, code: "key_not_found" };
  owners.set(body.apikey, owner);
  const id = randomBytes(12).toString("hex");
  const { rows } = await pool.query({
    name: "hold",
    text: HOLD,
    values: [
      owner.account_id,
      owner.key_id,
      [id],
      [hash.toString("hex")],
      [String(body.amount)],
      [null],
      [null],
      [null],
      [600],
    ],
  });
  const outcome = rows[0];
  const allowed = outcome.verdict === "granted";
  if (allowed) places.set(id, owner);
  return {
    success: true,
    allowed,
    code: allowed ? null : outcome.verdict,
    message: "",
    authorization_id: allowed ? owner.account_id + id : null,
    apikey_id: owner.key_id,
    amount: body.amount,
    expires_at: outcome.expires_at,
    available: { budget: outcome.budget_left, daily: outcome.day_left, monthly: outcome.month_left },
  };
}

export async function capture(pool: Pool, authorizationId: string, amount: number): Promise<object | undefined> {
  const id = authorizationId.slice(24);
  const owner = places.get(id);
  if (!owner) return undefined;
  places.delete(id);
  const { rows } = await pool.query({
    name: "capture",
    text: CAPTURE,
    values: [owner.account_id, owner.key_id, [id], [String(amount)]],
  });
  const { state, captured, overrun, late } = rows[0];
  return { success: true, message: "", authorization_id: authorizationId, state, amount: captured, overrun, late };
}

async function findOwner(pool: Pool, hash: Buffer): Promise<Owner | undefined> {
  const { rows } = await pool.query<Owner>("SELECT account_id, key_id FROM key_secret WHERE hash = $1", [hash]);
  return rows[0];
}

const HOLD = `WITH key AS MATERIALIZED (
    SELECT key.*, GREATEST(key.day, (now() AT TIME ZONE account.time_zone)::date) AS the_day
    FROM api_key key JOIN account ON account.id = key.account_id
    WHERE key.account_id = $1 AND key.id = $2 FOR NO KEY UPDATE OF key
  ), state AS (
    SELECT key.*, date_trunc('month', the_day)::date AS the_month,
      CASE WHEN key.day = the_day THEN key.day_spent ELSE 0 END AS spent_today,
      CASE WHEN key.day = the_day THEN key.day_held ELSE 0 END AS held_today,
      CASE WHEN key.month = date_trunc('month', the_day)::date THEN key.month_spent ELSE 0 END AS spent_this_month,
      CASE WHEN key.month = date_trunc('month', the_day)::date THEN key.month_held ELSE 0 END AS held_this_month,
      coalesce(key.held_until <= now(), false) AS must_release
    FROM key
  ), room AS (
    SELECT state.*,
      NULLIF(budget, 0) - spent - held AS budget_left,
      NULLIF(daily_limit, 0) - spent_today - held_today AS day_left,
      NULLIF(monthly_limit, 0) - spent_this_month - held_this_month AS month_left
    FROM state
  ), asked AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[], $8::text[], $9::int[])
      WITH ORDINALITY AS asked(id, hash, amount, input_price, output_price, request_id, ttl_seconds, place)
  ), looked_at AS (
    SELECT asked.*, known.id AS known_id, known.amount AS known_amount, known.expires_at AS known_expires_at,
      CASE
        WHEN secret.hash IS NULL OR room.revoked_at IS NOT NULL THEN 'key_not_found'
        WHEN known.id IS NOT NULL THEN 'known'
        WHEN room.disabled_at IS NOT NULL THEN 'key_disabled'
        WHEN room.expiry_date < room.the_day THEN 'key_expired'
        WHEN room.input_price_limit > 0 AND (asked.input_price <= room.input_price_limit) IS NOT TRUE THEN 'input_price_limit'
        WHEN room.output_price_limit > 0 AND (asked.output_price <= room.output_price_limit) IS NOT TRUE THEN 'output_price_limit'
      END AS obstacle
    FROM asked CROSS JOIN room
    LEFT JOIN LATERAL (
      SELECT hash FROM key_secret WHERE hash = decode(asked.hash, 'hex') AND account_id = $1 AND key_id = $2
        AND (expires_at IS NULL OR expires_at > now()) LIMIT 1
    ) secret ON true
    LEFT JOIN LATERAL (
      SELECT id, amount, expires_at FROM "authorization"
      WHERE account_id = $1 AND key_id = $2 AND request_id = asked.request_id LIMIT 1
    ) known ON true
  ), summed AS (
    SELECT looked_at.*,
      coalesce(sum(amount) FILTER (WHERE obstacle IS NULL) OVER (ORDER BY place), 0) AS running
    FROM looked_at
  ), judged AS (
    SELECT summed.*, obstacle IS NULL AND NOT room.must_release
      AND (room.budget_left IS NULL OR running <= room.budget_left)
      AND (room.day_left IS NULL OR running <= room.day_left)
      AND (room.month_left IS NULL OR running <= room.month_left) AS is_granted
    FROM summed CROSS JOIN room
  ), granted AS (
    SELECT coalesce(sum(amount), 0) AS amount, count(*) AS count, min(now() + make_interval(secs => ttl_seconds)) AS until
    FROM judged WHERE is_granted
  ), changed AS (
    UPDATE api_key key SET
      held = room.held + granted.amount,
      day = room.the_day, day_spent = room.spent_today, day_held = room.held_today + granted.amount,
      month = room.the_month, month_spent = room.spent_this_month, month_held = room.held_this_month + granted.amount,
      held_until = LEAST(room.held_until, granted.until), last_used_at = now()
    FROM room, granted
    WHERE key.account_id = $1 AND key.id = $2 AND granted.count > 0
  ), inserted AS (
    INSERT INTO "authorization" (account_id, id, key_id, request_id, amount, day, month, expires_at)
    SELECT room.account_id, judged.id, room.id, judged.request_id, judged.amount, room.the_day, room.the_month,
      now() + make_interval(secs => judged.ttl_seconds)
    FROM judged, room WHERE is_granted
  )
  SELECT
    CASE
      WHEN obstacle IS NOT NULL THEN obstacle
      WHEN is_granted THEN 'granted'
      WHEN judged.amount > room.budget_left - granted.amount THEN 'budget'
      WHEN judged.amount > room.day_left - granted.amount THEN 'daily_limit'
      WHEN judged.amount > room.month_left - granted.amount THEN 'monthly_limit'
      ELSE 'later'
    END AS verdict,
    CASE WHEN is_granted THEN judged.id WHEN obstacle = 'known' THEN judged.known_id END AS authorization_id,
    judged.known_amount::float8 AS known_amount,
    floor(extract(epoch FROM CASE
      WHEN is_granted THEN now() + make_interval(secs => judged.ttl_seconds) ELSE judged.known_expires_at
    END))::float8 AS expires_at,
    (room.budget_left - CASE WHEN is_granted THEN running ELSE granted.amount END)::float8 AS budget_left,
    (room.day_left - CASE WHEN is_granted THEN running ELSE granted.amount END)::float8 AS day_left,
    (room.month_left - CASE WHEN is_granted THEN running ELSE granted.amount END)::float8 AS month_left,
    room.must_release
  FROM judged, room, granted ORDER BY judged.place`;

const CAPTURE = `WITH key AS MATERIALIZED (
    SELECT * FROM api_key key WHERE key.account_id = $1 AND key.id = $2 FOR NO KEY UPDATE
  ), open AS MATERIALIZED (
    SELECT held.id, held.amount, held.day, held.month, held.state = 'held' AS is_held,
      held.state = 'expired' OR held.expires_at <= now() AS is_late
    FROM key CROSS JOIN unnest($3::text[]) AS asked(id) CROSS JOIN LATERAL (
      SELECT * FROM "authorization" one WHERE one.account_id = key.account_id AND one.id = asked.id
        AND one.state IN ('held', 'expired') LIMIT 1 FOR UPDATE
    ) held WHERE held.key_id = key.id
  ), captured AS (
    SELECT open.*, asked.amount AS captured
    FROM open JOIN unnest($3::text[], $4::numeric[]) AS asked(id, amount) USING (id)
  ), sums AS (
    SELECT count(captured.id) AS count, coalesce(sum(captured.captured), 0) AS spent,
      coalesce(sum(captured.amount) FILTER (WHERE is_held), 0) AS released,
      coalesce(sum(captured.captured) FILTER (WHERE captured.day = key.day), 0) AS day_spent,
      coalesce(sum(captured.amount) FILTER (WHERE is_held AND captured.day = key.day), 0) AS day_released,
      coalesce(sum(captured.captured) FILTER (WHERE captured.month = key.month), 0) AS month_spent,
      coalesce(sum(captured.amount) FILTER (WHERE is_held AND captured.month = key.month), 0) AS month_released
    FROM key, captured
  ), counted AS (
    UPDATE api_key SET spent = key.spent + sums.spent, held = key.held - sums.released,
      day_spent = key.day_spent + sums.day_spent, day_held = key.day_held - sums.day_released,
      month_spent = key.month_spent + sums.month_spent, month_held = key.month_held - sums.month_released
    FROM key, sums WHERE api_key.account_id = $1 AND api_key.id = $2 AND sums.count > 0
  ), settled AS (
    UPDATE "authorization" settled SET state = 'captured', captured = captured.captured, settled_at = now(),
      overrun = captured.captured > captured.amount, late = captured.is_late
    FROM captured WHERE settled.account_id = $1 AND settled.id = captured.id
  ), recorded AS (
    INSERT INTO ledger (account_id, authorization_id, key_id, day, amount, overrun, late)
    SELECT $1, id, $2, day, captured, captured > amount, is_late FROM captured
  ), totals AS (
    INSERT INTO key_day AS total (account_id, key_id, day, spent, captures)
    SELECT $1, $2, day, sum(captured), count(*) FROM captured GROUP BY day ORDER BY day
    ON CONFLICT (account_id, key_id, day)
      DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + EXCLUDED.captures
  )
  SELECT id, 'captured' AS state, captured::float8 AS captured, captured > amount AS overrun, is_late AS late FROM captured`;
