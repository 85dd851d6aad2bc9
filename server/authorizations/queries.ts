import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { AuthorizationState, Refusal } from "./schema";

// Every statement here locks the key's row first and touches authorizations after it, so that no two of them can meet in
// a deadlock. What is computed from the locked row is joined in `FROM`, never read by a subquery of an UPDATE: that is
// what PostgreSQL keeps when it looks again at a row which another transaction has just changed. `LATERAL … LIMIT 1` is a
// look-up of one row by its key, whatever PostgreSQL believes of the table's size: its plan is kept while the table grows.

/** A key that a value was made for, whatever has become of the two since. */
export interface ValueOwner {
  accountId: string;
  keyId: string;
}

/** The key that a value was made for. This never changes, so that it may be remembered. */
export async function findOwner(db: Database, hash: Buffer): Promise<ValueOwner | undefined> {
  const { rows } = await db.pool.query<{ account_id: string; key_id: string }>({
    name: "find-owner",
    text: "SELECT account_id, key_id FROM key_secret WHERE hash = $1",
    values: [hash],
  });
  return rows[0] && { accountId: rows[0].account_id, keyId: rows[0].key_id };
}

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

/** What came of one hold, and what the key has left after it: yuan; null is no limit. */
export interface HoldOutcome {
  /**
   * "granted"; the reason of a refusal; "known" when the request has its authorization already; "later" when holds before
   * it in the same statement were refused and it may still fit.
   */
  verdict: "granted" | "known" | "later" | Refusal;
  authorization_id: string | null;
  /** Of a known request. */
  known_amount: number | null;
  expires_at: number | null;
  budget_left: number | null;
  day_left: number | null;
  month_left: number | null;
  /** Expired holds have to be released before anything can be said. */
  must_release: boolean;
}

/**
 * Makes holds on one key in one statement, in their order, as far as its limits allow: the first that does not fit ends
 * it, for holds behind it may only be judged by what is left then. Day and month are those of the account's zone by the
 * database's clock; a clock that steps back does not reopen a day.
 * @throws a unique violation when another process has just made an authorization of the same request.
 */
export async function holdOnKey(
  db: Database,
  { accountId, keyId }: { accountId: AccountId; keyId: string },
  holds: readonly Hold[],
): Promise<HoldOutcome[]> {
  const { rows } = await db.pool.query<HoldOutcome>({
    name: "hold-on-key",
    text: HOLD,
    values: [
      accountId,
      keyId,
      holds.map(({ id }) => id),
      holds.map(({ hash }) => hash.toString("hex")),
      holds.map(({ amount }) => String(amount)),
      holds.map(({ inputPrice }) => (inputPrice === undefined ? null : String(inputPrice))),
      holds.map(({ outputPrice }) => (outputPrice === undefined ? null : String(outputPrice))),
      holds.map(({ requestId }) => requestId ?? null),
      holds.map(({ ttlSeconds }) => ttlSeconds),
    ],
  });
  return rows;
}

// A limit of 0 is none. A comparison with NULL is not true, so each is written to hold for what may pass.
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

/** Releases the holds of a key that have expired. Two statements, so that the second sees all that the lock waited for. */
export async function releaseExpired(db: Database, accountId: string, keyId: string): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [accountId, keyId]);
    await client.query(
      `WITH ended AS (
          UPDATE "authorization" SET state = 'expired', settled_at = now()
          WHERE account_id = $1 AND key_id = $2 AND state = 'held' AND expires_at <= now()
          RETURNING amount, day, month
        ), sums AS (
          SELECT coalesce(sum(ended.amount), 0) AS amount,
            coalesce(sum(ended.amount) FILTER (WHERE ended.day = key.day), 0) AS of_day,
            coalesce(sum(ended.amount) FILTER (WHERE ended.month = key.month), 0) AS of_month,
            (SELECT min(expires_at) FROM "authorization"
              WHERE account_id = $1 AND key_id = $2 AND state = 'held' AND expires_at > now()) AS next
          FROM api_key key LEFT JOIN ended ON true WHERE key.account_id = $1 AND key.id = $2
        )
        UPDATE api_key key SET held = key.held - sums.amount, day_held = key.day_held - sums.of_day,
          month_held = key.month_held - sums.of_month, held_until = sums.next
        FROM sums WHERE key.account_id = $1 AND key.id = $2`,
      [accountId, keyId],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** What an authorization has become: yuan. */
export interface Settled {
  id: string;
  state: AuthorizationState;
  captured: number | null;
  overrun: boolean;
  late: boolean;
}

/** An authorization as it is; undefined when the account has none of that id. */
export async function findAuthorization(
  db: Database,
  accountId: AccountId,
  id: string,
): Promise<(Settled & { keyId: string }) | undefined> {
  const { rows } = await db.pool.query<Settled & { keyId: string }>({
    name: "find-authorization",
    text: `SELECT id, key_id AS "keyId", state, captured::float8 AS captured, overrun, late FROM "authorization"
      WHERE account_id = $1 AND id = $2`,
    values: [accountId, id],
  });
  return rows[0];
}

/** What a call really cost. */
export interface Capture {
  id: string;
  /** Yuan. */
  amount: number;
}

/**
 * Captures authorizations of one key in one statement: ends their holds, counts what was captured, on the day of the
 * hold, and writes the ledger. Answers those that were open; the others have been settled before, or do not exist.
 */
export async function captureOnKey(
  db: Database,
  { accountId, keyId }: { accountId: AccountId; keyId: string },
  captures: readonly Capture[],
): Promise<Settled[]> {
  const { rows } = await db.pool.query<Settled>({
    name: "capture-on-key",
    text: CAPTURE,
    values: [accountId, keyId, captures.map(({ id }) => id), captures.map(({ amount }) => String(amount))],
  });
  return rows;
}

const OPEN = `WITH key AS MATERIALIZED (
    SELECT * FROM api_key key WHERE key.account_id = $1 AND key.id = $2 FOR NO KEY UPDATE
  ), open AS MATERIALIZED (
    SELECT held.id, held.amount, held.day, held.month, held.state = 'held' AS is_held,
      held.state = 'expired' OR held.expires_at <= now() AS is_late
    FROM key CROSS JOIN unnest($3::text[]) AS asked(id) CROSS JOIN LATERAL (
      SELECT * FROM "authorization" one WHERE one.account_id = key.account_id AND one.id = asked.id
        AND one.state IN ('held', 'expired') LIMIT 1 FOR UPDATE
    ) held WHERE held.key_id = key.id
  )`;

const CAPTURE = `${OPEN}, captured AS (
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

/**
 * Ends the hold of an authorization that nothing came of. One that has expired is left as it is: nothing is held any
 * more. Answers what it is now; undefined when it was settled before, or does not exist.
 */
export async function voidOnKey(
  db: Database,
  { accountId, keyId }: { accountId: AccountId; keyId: string },
  id: string,
): Promise<Settled | undefined> {
  const { rows } = await db.pool.query<Settled>({
    name: "void-on-key",
    text: `${OPEN}, sums AS (
        SELECT count(open.id) FILTER (WHERE is_held) AS count,
          coalesce(sum(open.amount) FILTER (WHERE is_held), 0) AS released,
          coalesce(sum(open.amount) FILTER (WHERE is_held AND open.day = key.day), 0) AS day_released,
          coalesce(sum(open.amount) FILTER (WHERE is_held AND open.month = key.month), 0) AS month_released
        FROM key, open
      ), counted AS (
        UPDATE api_key SET held = key.held - sums.released, day_held = key.day_held - sums.day_released,
          month_held = key.month_held - sums.month_released
        FROM key, sums WHERE api_key.account_id = $1 AND api_key.id = $2 AND sums.count > 0
      ), settled AS (
        UPDATE "authorization" settled SET state = CASE WHEN open.is_late THEN 'expired' ELSE 'voided' END,
          settled_at = now()
        FROM open WHERE settled.account_id = $1 AND settled.id = open.id AND open.is_held
      )
      SELECT id, CASE WHEN is_late THEN 'expired' ELSE 'voided' END AS state, NULL::float8 AS captured,
        false AS overrun, false AS late FROM open`,
    values: [accountId, keyId, [id]],
  });
  return rows[0];
}

/** A hold that was refused. */
export interface Refused {
  code: Refusal;
  requestId: string | undefined;
}

/** The authorization that a request has already. */
export interface KnownRequest {
  request_id: string;
  authorization_id: string;
  known_amount: number;
  expires_at: number;
}

/**
 * Counts refusals of a key, on the day it is in the account's zone. Another process may have made the authorization of
 * the same request while this one waited for the key, which `holdOnKey` cannot see: such a request is known and not
 * refused, and is answered here instead of being counted.
 */
export async function countRefusals(
  db: Database,
  { accountId, keyId }: { accountId: AccountId; keyId: string },
  refused: readonly Refused[],
): Promise<KnownRequest[]> {
  const { rows } = await db.pool.query<KnownRequest>({
    name: "count-refusals",
    text: `WITH known AS (
        SELECT request_id, id AS authorization_id, amount::float8 AS known_amount,
          floor(extract(epoch FROM expires_at))::float8 AS expires_at
        FROM "authorization" WHERE account_id = $1 AND key_id = $2 AND request_id = ANY($4::text[])
      ), counted AS (
        INSERT INTO refusal_day AS total (account_id, key_id, day, code, count)
        SELECT account.id, $2, (now() AT TIME ZONE account.time_zone)::date, code, count(*)
        FROM account, unnest($3::text[], $4::text[]) AS refused(code, request_id)
        WHERE account.id = $1 AND NOT EXISTS (SELECT FROM known WHERE known.request_id = refused.request_id)
        GROUP BY account.id, code ORDER BY code
        ON CONFLICT (account_id, key_id, day, code) DO UPDATE SET count = total.count + EXCLUDED.count
      )
      SELECT * FROM known`,
    values: [accountId, keyId, refused.map(({ code }) => code), refused.map(({ requestId }) => requestId ?? null)],
  });
  return rows;
}

/** Keys that have holds which have expired and are not released, some of them at a time. */
export async function listKeysWithExpired(db: Database): Promise<ValueOwner[]> {
  const { rows } = await db.pool.query<ValueOwner>(
    `SELECT DISTINCT account_id AS "accountId", key_id AS "keyId" FROM "authorization"
      WHERE state = 'held' AND expires_at <= now() LIMIT 1000`,
  );
  return rows;
}

/**
 * Forgets authorizations that were settled so many days ago; what they came to stands in the totals of the days. An id
 * begins with the time it was made at, so that the primary key finds the old ones.
 * @returns how many: at most 1000 of each account at a time.
 */
export async function forgetSettled(db: Database, days: number): Promise<number> {
  const { rowCount } = await db.pool.query(
    `DELETE FROM "authorization" old USING (
        SELECT due.account_id, due.id FROM account CROSS JOIN LATERAL (
          SELECT account_id, id FROM "authorization"
          WHERE account_id = account.id
            AND id < to_hex(extract(epoch FROM now() - make_interval(days => $1))::bigint)
            AND state <> 'held' AND settled_at < now() - make_interval(days => $1)
          ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
        ) due
      ) due WHERE old.account_id = due.account_id AND old.id = due.id`,
    [days],
  );
  return rowCount ?? 0;
}
