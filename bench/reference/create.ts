import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";

/** The parameters of a new key: its limits as the API takes them. */
export interface KeyParameters {
  name: string;
  group_id?: string;
  budget?: number;
  expiry_date?: string;
  daily_limit?: number;
  monthly_limit?: number;
  input_price_limit?: number;
  output_price_limit?: number;
}

/** The account behind the hash of a key value: one look-up. */
export async function findAccount(pool: Pool, hash: Buffer): Promise<string | undefined> {
  const text = "SELECT account_id FROM reference.secret WHERE hash = $1";
  const { rows } = await pool.query<{ account_id: string }>({ name: "find-account", text, values: [hash] });
  return rows[0]?.account_id;
}

/** Creates a key by one statement, with an event in the history or without. */
export async function createKey(
  pool: Pool,
  accountId: string,
  {
    name,
    group_id,
    budget,
    expiry_date,
    daily_limit,
    monthly_limit,
    input_price_limit,
    output_price_limit,
  }: KeyParameters,
  hasHistory: boolean,
): Promise<object> {
  const apikey = `sk-${randomBytes(36).toString("base64url").replace(/[-_]/g, "0").slice(0, 45)}`;
  const limits = { budget, expiry_date, daily_limit, monthly_limit, input_price_limit, output_price_limit };
  const values = [
    accountId,
    apikey.slice(0, 10),
    name,
    group_id,
    ...Object.values(limits),
    createHash("sha256").update(apikey).digest(),
  ];
  if (hasHistory) {
    const after = JSON.stringify({ name, group_id, ...limits });
    await pool.query({
      name: "create-with-history",
      text: CREATE_WITH_HISTORY,
      values: [...values, "127.0.0.1", after],
    });
  } else await pool.query({ name: "create", text: CREATE, values });
  return { success: true, message: "API key created.", apikey, name, group_id, ...limits };
}

const INSERT = `
  WITH key AS (
    INSERT INTO reference.key (account_id, apikey_id, name, group_id, budget, expiry_date, daily_limit, monthly_limit,
      input_price_limit, output_price_limit)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    RETURNING id
  )`;

const CREATE = `${INSERT}
  INSERT INTO reference.secret (hash, account_id, key_id) SELECT $11, $1, id FROM key`;

const CREATE_WITH_HISTORY = `${INSERT}, recorded AS (
    INSERT INTO reference.event (account_id, actor, address, action, key_id, after)
    SELECT $1, 'rest', $12, 'key.created', id, $13 FROM key
  )
  INSERT INTO reference.secret (hash, account_id, key_id) SELECT $11, $1, id FROM key`;
