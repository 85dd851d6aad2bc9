import type autocannon from "autocannon";
import type { Client } from "pg";
import { hashKeyValue, makeKeyValue } from "../server/keys/key-value";
import { GATEWAY_TOKEN } from "./servers";

/** Puts keys with limits into an account by SQL, and returns their values. */
export async function seedSpenders(client: Client, apikey: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => makeKeyValue("sk-"));
  await client.query(
    `WITH owner AS (
        SELECT account_id FROM key_secret WHERE hash = $1
      ), seeded AS (
        SELECT account_id, id, hash FROM owner, unnest($2::text[], $3::bytea[]) AS seeded(id, hash)
      ), key AS (
        INSERT INTO api_key (account_id, id, name, budget, daily_limit, monthly_limit)
        SELECT account_id, id, 'spender', 1e12, 1e11, 1e12 FROM seeded
      )
      INSERT INTO key_secret (hash, account_id, key_id) SELECT hash, account_id, id FROM seeded`,
    [hashKeyValue(apikey), keys.map(({ id }) => id), keys.map(({ value }) => hashKeyValue(value))],
  );
  return keys.map(({ value }) => value);
}

/** The requests of a gateway: an authorization on one of the keys in turn, then its capture. */
export function authorizeAndCapture(apikeys: readonly string[]): autocannon.Request[] {
  const headers = { authorization: `Bearer ${GATEWAY_TOKEN}`, "content-type": "application/json" };
  let turn = 0;
  return [
    {
      method: "POST",
      headers,
      setupRequest: (request) => {
        const apikey = apikeys[turn++ % apikeys.length];
        return { ...request, path: "/v1/authorizations", body: JSON.stringify({ apikey, amount: 2.5 }) };
      },
      onResponse: (_status, body, context) => {
        const { authorization_id: id, allowed } = JSON.parse(body);
        if (!allowed) throw new Error(`not allowed: ${body}`);
        Object.assign(context, { path: `/v1/authorizations/${id}/capture` });
      },
    },
    {
      method: "POST",
      headers,
      setupRequest: (request, context) => ({
        ...request,
        path: (context as { path: string }).path,
        body: JSON.stringify({ amount: 2.1 }),
      }),
    },
  ];
}
