import type { Client } from "pg";
import { hashKeyValue } from "../server/keys/key-value";
import { type Comparison, compare, comparisonTable, comparisonTargets, on } from "./compare";
import { createKeys } from "./endpoints";
import type { Part } from "./part";
import { findAccountId } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";

interface Figures {
  comparisons: Comparison[];
}

/** The creation of keys beside the reference server, which keeps a history once, and once none. */
export const create: Part<Figures> = {
  name: "create",
  measure: (folder) => withServers(folder, measure),
  report: ({ comparisons }) => `## Create a key

Each request is recognised by its default key first, in the reference by one look-up of its hash. The first reference
writes key, value and history by one statement a call; the second keeps no history.

${comparisonTable(comparisons)}`,
  targets: ({ comparisons }) => comparisonTargets(comparisons),
};

async function measure(servers: Servers): Promise<Figures> {
  const { client, product, reference } = servers;
  const owner = await createAccount(servers, "owner@example.com");
  await introduce(client, owner);
  const withHistory = createKeys("create a key, reference with history", [owner]);
  const withoutHistory = createKeys("create a key, reference without history", [owner]);
  const plain = createKeys("create a key without history", [owner], "/without-history/v1/apikeys");
  return {
    comparisons: [
      await compare(client, on(product, withHistory), on(reference, withHistory), { least: 1.2 }),
      await compare(client, on(product, withoutHistory), on(reference, plain), { least: 0.7 }),
    ],
  };
}

/** Makes the default key of an account known to the reference server. */
export async function introduce(client: Client, apikey: string): Promise<void> {
  const accountId = await findAccountId(client, apikey);
  const values = [accountId, apikey.slice(0, 10), hashKeyValue(apikey)];
  await client.query(
    `WITH key AS (
        INSERT INTO reference.key (account_id, apikey_id, name) VALUES ($1, $2, 'default') RETURNING id
      )
      INSERT INTO reference.secret (hash, account_id, key_id) SELECT $3, $1, id FROM key`,
    values,
  );
}
