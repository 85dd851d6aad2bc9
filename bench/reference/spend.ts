import type { Pool } from "pg";

// One statement a call, with as little work as the answer needs: one limit, no request ids, no refusals by reason.

/** Holds an amount on the key of a hash. */
export async function authorize(pool: Pool, hash: Buffer, amount: number): Promise<object> {
  const { rows } = await pool.query({ name: "hold", text: HOLD, values: [hash, amount] });
  const [held] = rows;
  if (!held) return { success: true, allowed: false, code: "budget", message: "", authorization_id: null };
  return {
    success: true,
    allowed: true,
    code: null,
    message: "",
    authorization_id: held.id,
    apikey_id: held.apikey_id,
    amount,
    expires_at: held.expires_at,
    available: { budget: held.available, daily: null, monthly: null },
    replayed: false,
  };
}

/** Counts what a call cost. Undefined: there is no such authorization, or it was captured before. */
export async function capture(pool: Pool, id: string, amount: number): Promise<object | undefined> {
  const { rows } = await pool.query({ name: "capture", text: CAPTURE, values: [id, amount] });
  const [captured] = rows;
  if (!captured) return undefined;
  const { overrun, late } = captured;
  return { success: true, message: "", authorization_id: id, state: "captured", amount, overrun, late };
}

/** Whether the key of a hash has room for an amount. */
export async function check(pool: Pool, hash: Buffer, amount: number): Promise<object> {
  const { rows } = await pool.query({ name: "check", text: CHECK, values: [hash, amount] });
  const [key] = rows;
  if (!key) return { success: true, allowed: false, code: "key_not_found", message: "", apikey_id: null };
  const { allowed, apikey_id, budget, spent, held } = key;
  return {
    success: true,
    allowed,
    code: allowed ? null : "budget",
    message: "",
    apikey_id,
    amount,
    budget,
    spent,
    held,
  };
}

const HOLD = `
  WITH counted AS (
    UPDATE reference.key SET held = held + $2
    FROM reference.secret
    WHERE secret.hash = $1 AND key.id = secret.key_id AND key.spent + key.held + $2 <= key.budget
    RETURNING key.id, key.apikey_id, (key.budget - key.spent - key.held)::float8 AS available
  ), held AS (
    INSERT INTO reference.authorization (key_id, amount, day, expires_at)
    SELECT id, $2, current_date, now() + interval '10 minutes' FROM counted
    RETURNING id, floor(extract(epoch FROM expires_at))::float8 AS expires_at
  )
  SELECT held.id, held.expires_at, counted.apikey_id, counted.available FROM held, counted`;

const CAPTURE = `
  WITH settled AS (
    UPDATE reference.authorization SET captured = $2
    WHERE id = $1 AND captured IS NULL
    RETURNING key_id, amount, day, $2 > amount AS overrun, expires_at <= now() AS late
  ), counted AS (
    UPDATE reference.key SET spent = spent + $2, held = held - settled.amount FROM settled WHERE key.id = settled.key_id
  ), recorded AS (
    INSERT INTO reference.ledger (authorization_id, key_id, day, amount) SELECT $1, key_id, day, $2 FROM settled
  ), totalled AS (
    INSERT INTO reference.key_day AS total (key_id, day, spent, captures) SELECT key_id, day, $2, 1 FROM settled
    ON CONFLICT (key_id, day) DO UPDATE SET spent = total.spent + excluded.spent, captures = total.captures + 1
  )
  SELECT overrun, late FROM settled`;

const CHECK = `
  SELECT key.apikey_id, key.spent + key.held + $2 <= key.budget AS allowed, key.budget::float8, key.spent::float8,
    key.held::float8
  FROM reference.secret JOIN reference.key ON key.id = secret.key_id
  WHERE secret.hash = $1`;
