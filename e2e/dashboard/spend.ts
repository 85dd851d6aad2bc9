import { randomUUID } from "node:crypto";
import { openDatabase } from "@/server/db/client";
import type { Account } from "./account";

/** A key with its whole value, which a gateway needs. */
export interface SpendingKey {
  id: string;
  value: string;
}

/** Creates a key and returns its whole value. */
export async function newSpendingKey(
  account: Account,
  name: string,
  body: Record<string, unknown> = {},
): Promise<SpendingKey> {
  const { apikey } = await account.call("POST", "/v1/apikeys", { name, ...body });
  return { id: apikey.slice(0, 10), value: apikey };
}

/** Spends as a gateway does: authorizes an amount, then captures it. */
export async function spend(account: Account, { value }: SpendingKey, amount: number): Promise<void> {
  const { authorization_id } = await account.call("POST", "/v1/authorizations", { apikey: value, amount });
  await account.call("POST", `/v1/authorizations/${authorization_id}/capture`, { amount });
}

/** Writes the spend of an earlier day into the ledger and the totals. The counters of the key stay as they are. */
export async function bookEarlier(
  account: Account,
  { id }: SpendingKey,
  daysAgo: number,
  amount: string,
): Promise<void> {
  const owner = "SELECT id FROM account WHERE email = $1";
  const day = `(SELECT (now() AT TIME ZONE time_zone)::date - $3::int FROM account WHERE email = $1)`;
  await inDatabase(async ({ pool }) => {
    await pool.query(
      `INSERT INTO key_day (account_id, key_id, day, spent, captures) VALUES ((${owner}), $2, ${day}, $4, 1)`,
      [account.email, id, daysAgo, amount],
    );
    await pool.query(
      `INSERT INTO ledger (account_id, key_id, day, amount, authorization_id, overrun, late)
        VALUES ((${owner}), $2, ${day}, $4, $5, false, false)`,
      [account.email, id, daysAgo, amount, randomUUID()],
    );
  });
}

/** The tokens of a model on a day. */
export interface ModelTokens {
  input: number;
  cached: number;
  output: number;
}

/** Writes the spend of an earlier day with a model into the totals. */
export async function bookModel(
  account: Account,
  { id }: SpendingKey,
  { daysAgo, model, amount, tokens }: { daysAgo: number; model: string; amount: string; tokens: ModelTokens },
): Promise<void> {
  const values = [account.email, id, daysAgo, amount];
  const day = `(SELECT (now() AT TIME ZONE time_zone)::date - $3::int FROM account WHERE email = $1)`;
  const owner = "(SELECT id FROM account WHERE email = $1)";
  await inDatabase(async ({ pool }) => {
    await pool.query(
      `INSERT INTO key_day AS known (account_id, key_id, day, spent, captures) VALUES (${owner}, $2, ${day}, $4, 1)
        ON CONFLICT (account_id, key_id, day) DO UPDATE SET spent = known.spent + $4, captures = known.captures + 1`,
      values,
    );
    await pool.query(
      `INSERT INTO model_day (account_id, key_id, day, model, spent, captures, input_tokens, cached_input_tokens, output_tokens)
        VALUES (${owner}, $2, ${day}, $5, $4, 1, $6, $7, $8)`,
      [...values, model, tokens.input, tokens.cached, tokens.output],
    );
  });
}

/** The sums of the ledger by key and day, without trailing zeros. */
export function ledgerOf(account: Account): Promise<{ key_id: string; day: string; spent: string }[]> {
  return inDatabase(async ({ pool }) => {
    const { rows } = await pool.query(
      `SELECT key_id, day::text, trim_scale(sum(amount))::text AS spent FROM ledger
        WHERE account_id = (SELECT id FROM account WHERE email = $1) GROUP BY 1, 2 ORDER BY 2, 1`,
      [account.email],
    );
    return rows;
  });
}

/** Sets when a key was last used. The API has no such call. */
export async function lastUsed(account: Account, { id }: SpendingKey, daysAgo: number): Promise<void> {
  await inDatabase(({ pool }) =>
    pool.query(
      `UPDATE api_key SET last_used_at = now() - $3::int * interval '1 day'
        WHERE account_id = (SELECT id FROM account WHERE email = $1) AND id = $2`,
      [account.email, id, daysAgo],
    ),
  );
}

/** Opens authorizations of 0 yuan on a key that has none. Through the API, a thousand of them would take long. */
export async function openHolds(account: Account, { id }: SpendingKey, count: number): Promise<void> {
  await inDatabase(({ pool }) =>
    pool.query(
      `WITH key AS (
          UPDATE api_key SET open_holds = $3::int, held_until = now() + interval '1 hour'
          WHERE account_id = (SELECT id FROM account WHERE email = $1) AND id = $2
          RETURNING account_id
        )
        INSERT INTO "authorization" (account_id, id, key_id, request_id, amount, day, month, expires_at)
        SELECT account_id, lpad(to_hex(n), 24, '0'), $2, 'call ' || n, 0, now(), date_trunc('month', now()),
          now() + interval '1 hour'
        FROM key, generate_series(1, $3::int) AS n`,
      [account.email, id, count],
    ),
  );
}

async function inDatabase<Result>(
  work: (database: ReturnType<typeof openDatabase>) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(process.env.PRODUCT_DATABASE_URL ?? "");
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
