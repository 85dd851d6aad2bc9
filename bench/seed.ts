import type { Client } from "pg";
import { hashKeyValue, type KeyValue, makeKeyValue } from "../server/keys/key-value";

// Accounts and keys by SQL, as the API would write them, because the API would take too long for so many.

const PREFIX = "sk-";

/** The account of a key value. */
export async function findAccountId(client: Client, apikey: string): Promise<string> {
  const { rows } = await client.query<{ account_id: string }>("SELECT account_id FROM key_route WHERE hash = $1", [
    hashKeyValue(apikey),
  ]);
  const [row] = rows;
  if (!row) throw new Error("there is no account of this key");
  return row.account_id;
}

/** Makes values for new keys. */
export function makeKeyValues(count: number): KeyValue[] {
  return Array.from({ length: count }, () => makeKeyValue(PREFIX));
}

/**
 * Puts `count` keys with limits into an account. The keys of the given values are spread evenly among them and are put
 * into the tables of the reference server too; nobody knows the values of the others.
 */
export async function seedKeys(
  client: Client,
  accountId: string,
  known: readonly KeyValue[],
  count: number,
  groupId: string | null = null,
): Promise<void> {
  const stride = Math.floor(count / Math.max(1, known.length));
  await insert(client, async () => {
    await client.query(
      `INSERT INTO seeded_key (account_id, id, hash, place, is_known, group_id)
        SELECT $1, coalesce(known.id, ${SCRAMBLED_ID}), coalesce(known.hash, ${UNKNOWN_HASH}), n, known.id IS NOT NULL, $6
        FROM (SELECT count(*) AS offset_of FROM api_key WHERE account_id = $1) AS before
        CROSS JOIN generate_series(1, $2::int) AS n
        LEFT JOIN unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS known(id, hash, place) ON known.place * $5::int = n`,
      [accountId, count, ...columnsOf(known), stride, groupId],
    );
  });
}

/** Puts `count` keys into a group of the account of a default key, as `seedKeys` does. Returns the account's id. */
export async function seedGroup(
  client: Client,
  apikey: string,
  groupId: string,
  known: readonly KeyValue[],
  count: number,
): Promise<string> {
  const accountId = await findAccountId(client, apikey);
  await seedKeys(client, accountId, known, count, groupId);
  return accountId;
}

/**
 * Puts accounts into the product: each has a default key, a key with limits, whose value is known too and which the
 * reference server gets, and others up to `keysEach`.
 */
export async function seedAccounts(
  client: Client,
  defaults: readonly KeyValue[],
  known: readonly KeyValue[],
  keysEach: number,
): Promise<void> {
  await insert(client, async () => {
    await client.query(
      `CREATE TEMPORARY TABLE seeded_account ON COMMIT DROP AS
        SELECT lpad(to_hex(extract(epoch FROM now())::int), 8, '0') || lpad(to_hex(place), 16, '0') AS account_id, *
        FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[])
          WITH ORDINALITY AS seeded(default_id, default_hash, known_id, known_hash, place)`,
      [...columnsOf(defaults), ...columnsOf(known)],
    );
    await client.query(
      "INSERT INTO account (id, email) SELECT account_id, account_id || '@example.com' FROM seeded_account",
    );
    await client.query(
      `INSERT INTO seeded_key (account_id, id, hash, place, is_known, is_default)
        SELECT account_id, default_id, default_hash, place, false, true FROM seeded_account
        UNION ALL SELECT account_id, known_id, known_hash, place, true, false FROM seeded_account
        UNION ALL SELECT account_id, ${SCRAMBLED_ID}, ${UNKNOWN_HASH}, place, false, false
          FROM seeded_account CROSS JOIN (SELECT 0 AS offset_of) AS before CROSS JOIN generate_series(3, $1::int) AS n`,
      [keysEach],
    );
  });
}

/** An id that looks as random as a real one, and is another one for each of the first 268 million numbers. */
const SCRAMBLED_ID = `'${PREFIX}' || lpad(to_hex((offset_of + n) * 181783497 % 268435456), 7, '0')`;
const UNKNOWN_HASH = "sha256(convert_to(gen_random_uuid()::text, 'UTF8'))";

/** Fills a temporary table, and writes its keys into the tables of the product and of the reference. */
async function insert(client: Client, fill: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  await client.query(
    `CREATE TEMPORARY TABLE seeded_key (
      account_id text, id text, hash bytea, place bigint, is_known boolean, is_default boolean NOT NULL DEFAULT false,
      group_id text
    ) ON COMMIT DROP`,
  );
  await fill();
  for (const statement of INSERTS) await client.query(statement);
  await client.query("COMMIT");
}

const EVENT_ID = `lpad(to_hex(extract(epoch FROM now())::int), 8, '0') || lpad(to_hex(place), 8, '0') || left(md5(id), 8)`;
const LIMITS = `CASE WHEN is_default THEN NULL ELSE 1e12 END`;

const INSERTS = [
  `INSERT INTO api_key (account_id, id, name, group_id, is_default, budget, daily_limit, monthly_limit, created_at, value_hash)
    SELECT account_id, id, 'key ' || place, group_id, is_default, ${LIMITS}, ${LIMITS}, ${LIMITS},
      now() - interval '1 day' + place * interval '1 millisecond', hash
    FROM seeded_key ORDER BY place`,
  "INSERT INTO key_route (hash, account_id, key_id) SELECT hash, account_id, id FROM seeded_key ORDER BY place",
  `INSERT INTO event (account_id, id, actor, actor_name, address, action, group_id, group_name, key_count, after)
    SELECT account_id, ${EVENT_ID}, 'rest', 'sk-0000000', '127.0.0.1', 'key.created', group_id,
      (SELECT name FROM api_key_group one WHERE one.account_id = seeded_key.account_id AND one.id = group_id), 1,
      jsonb_build_object('name', 'key ' || place, 'budget', ${LIMITS}, 'daily_limit', ${LIMITS}, 'monthly_limit', ${LIMITS})
    FROM seeded_key ORDER BY place`,
  `INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
    SELECT account_id, ${EVENT_ID}, id, 'key ' || place, '{}' FROM seeded_key ORDER BY place`,
  `WITH key AS (
      INSERT INTO reference.key (account_id, apikey_id, name, budget)
      SELECT account_id, id, 'key ' || place, 1e12 FROM seeded_key WHERE is_known
      RETURNING id, account_id, apikey_id
    )
    INSERT INTO reference.secret (hash, account_id, key_id)
    SELECT seeded.hash, key.account_id, key.id
    FROM key JOIN seeded_key seeded ON seeded.account_id = key.account_id AND seeded.id = key.apikey_id`,
];

function columnsOf(values: readonly KeyValue[]): [string[], Buffer[]] {
  return [values.map(({ id }) => id), values.map(({ value }) => hashKeyValue(value))];
}
