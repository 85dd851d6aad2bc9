import type { Client } from "pg";
import { hashKeyValue } from "../server/keys/key-value";
import { settle } from "./compare";
import { median } from "./median";
import { createGroup, post } from "./requests";

/** How long it takes to set the limits of a large group, through the product and by the statement alone. */
export interface BatchMeasurement {
  keys: number;
  productMs: number;
  statementMs: number;
}

const KEYS = 100_000;
const PAIRS = 6;

/**
 * Compares the time of POST /v1/apikey_groups/{id}/batch_budget with that of the bare UPDATE. Each moves every row to the
 * free half of the table. So they take turns to be first, and VACUUM frees the other half before each.
 */
export async function measureBatch(client: Client, url: string, apikey: string): Promise<BatchMeasurement> {
  const groupId = await createGroup(url, apikey, "Large");
  const accountId = await seedKeys(client, apikey, groupId);
  const product: number[] = [];
  const statement: number[] = [];
  let amount = 1;
  const throughProduct = async () => {
    const begun = performance.now();
    const { updated_count } = await post<{ updated_count: number }>(
      `${url}/v1/apikey_groups/${groupId}/batch_budget`,
      apikey,
      { budget: amount++, daily_limit: amount },
      200,
    );
    product.push(performance.now() - begun);
    requireAll(updated_count);
  };
  const byStatement = async () => {
    const begun = performance.now();
    const { rowCount } = await client.query(
      "UPDATE api_key SET budget = $1, daily_limit = $2 WHERE account_id = $3 AND group_id = $4 AND revoked_at IS NULL",
      [amount++, amount, accountId, groupId],
    );
    statement.push(performance.now() - begun);
    requireAll(rowCount);
  };
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const update of pair % 2 === 0 ? [throughProduct, byStatement] : [byStatement, throughProduct]) {
      await settle(client);
      await update();
    }
  }
  return { keys: KEYS, productMs: median(product), statementMs: median(statement) };
}

/** Puts the keys into the group by SQL, because the API would take a minute. Returns the account's id. */
async function seedKeys(client: Client, apikey: string, groupId: string): Promise<string> {
  const { rows } = await client.query<{ account_id: string }>("SELECT account_id FROM key_secret WHERE hash = $1", [
    hashKeyValue(apikey),
  ]);
  const accountId = rows[0]?.account_id ?? "";
  await client.query(
    `INSERT INTO api_key (account_id, id, name, group_id, budget)
      SELECT $1, 'bn-' || lpad(n::text, 7, '0'), 'key ' || n, $2, 0 FROM generate_series(1, $3::int) AS n`,
    [accountId, groupId, KEYS],
  );
  await client.query(
    `INSERT INTO key_secret (hash, account_id, key_id)
      SELECT sha256(convert_to(gen_random_uuid()::text, 'UTF8')), account_id, id
      FROM api_key WHERE account_id = $1 AND group_id = $2`,
    [accountId, groupId],
  );
  return accountId;
}

function requireAll(updated: number | null): void {
  if (updated !== KEYS) throw new Error(`${updated} keys were updated, not ${KEYS}`);
}
