import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccountId } from "./auth/account-id";
import type { Database } from "./db/client";
import { analyzeGrown } from "./db/statistics";
import { insertGroup, updateGroup } from "./groups/queries";
import { listEvents } from "./history/queries";
import { changeKey } from "./keys/change-queries";
import { renaming } from "./keys/key-change";
import { findKey } from "./keys/queries";
import { rotateSecret } from "./keys/secret-queries";
import { statements } from "./statements";
import { openUnanalyzedDatabase } from "./testing/own-database";
import { sentStatements } from "./testing/sent-statements";

// PostgreSQL keeps the plan of a prepared statement, and makes it from what it believes of the tables then. So each plan
// must be a look-up by a whole key, or one of the walks below, whatever it believes (docs/decisions/plans.md).

/** What may read more than one row of an index: the columns that must be given, and why that is all it needs. */
const WALKS = [
  { index: "api_key_of_group", given: ["group_id", "account_id"], because: "counts the keys of a group" },
  {
    index: "api_key_of_group",
    given: ["group_id"],
    only: "",
    because: "a change of a group answers what its keys share, and its id is unique",
  },
  { index: "api_key_group_pkey", given: ["account_id"], only: "list-groups", because: "the answer has all groups" },
  { index: "key_count_pkey", given: ["account_id"], only: "list-groups", because: "the answer has all groups" },
  {
    index: "key_count_change_account_id_idx",
    given: ["account_id"],
    only: "list-groups",
    because: "the upkeep empties this table each minute",
  },
  {
    index: "earlier_value_key_id_account_id_idx",
    given: ["key_id", "account_id"],
    because: "a key has few earlier values",
  },
  { index: "authorization_open_idx", given: ["account_id", "key_id"], because: "reads the expired holds of a key" },
  {
    index: "authorization_settled_idx",
    given: ["key_id", "state"],
    only: "list-activity",
    because: "shows the newest calls of a key, and stops",
  },
  {
    index: "refusal_pkey",
    given: ["account_id", "recorded_on", "key_id"],
    only: "list-activity",
    because: "shows the newest calls of a key, and stops",
  },
  {
    index: "account_price_account_id_name_valid_from_key",
    given: ["account_id"],
    only: "read-account-prices",
    because: "all prices of the account are wanted",
  },
  {
    index: "account_price_pkey",
    given: ["account_id"],
    only: "read-account-prices",
    because: "all prices of the account are wanted",
  },
];

/** What reads a whole table, because it wants all of it. */
const WHOLE = [{ table: "operator_price", only: "read-operator-prices" }];

/**
 * A fortieth of 20,000 accounts of 5 keys beside one of 1,000,000. PostgreSQL expects the same number of keys in an
 * account that it does not know, which is what a generic plan is made from. docs/decisions/plans.md tells of the whole.
 */
const SMALL_ACCOUNTS = 500;
const KEYS_OF_SMALL = 5;
const KEYS_OF_HUGE = 25_000;

interface Index {
  isUnique: boolean;
  columns: string[];
}

interface Planned {
  name: string;
  text: string;
}

let db: Database;
let indexes: Map<string, Index>;
let planned: Planned[];

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  const { rows } = await db.pool.query<Index & { name: string }>(
    `SELECT relname AS name, indisunique AS "isUnique",
        ARRAY(SELECT pg_get_indexdef(indexrelid, place, false) FROM generate_series(1, indnkeyatts) AS place) AS columns
      FROM pg_index
      JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = 'public'::regnamespace`,
  );
  indexes = new Map(rows.map(({ name, ...index }) => [name, index]));
  planned = [...statements, ...(await checksOfForeignKeys())];
  return own.remove;
});

/** The statements by which PostgreSQL itself checks foreign keys, on the same connections, with plans that it keeps too. */
async function checksOfForeignKeys(): Promise<Planned[]> {
  const { rows } = await db.pool.query<{ name: string; at: string; to: string; from: string[]; key: string[] }>(
    `SELECT conname AS name, conrelid::regclass AS at, confrelid::regclass AS to,
        ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS part(number, place)
          JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place) AS from,
        ARRAY(SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS part(number, place)
          JOIN pg_attribute ON attrelid = confrelid AND attnum = number ORDER BY place) AS key
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  const check = (table: string, columns: string[]) =>
    `SELECT 1 FROM ONLY ${table} x WHERE ${columns.map((column, i) => `${column} = $${i + 1}`).join(" AND ")} FOR KEY SHARE`;
  return rows.flatMap(({ name, at, to, from, key }) => [
    { name: `${name}: insert`, text: check(to, key) },
    // Accounts are never deleted.
    ...(to === "account" ? [] : [{ name: `${name}: delete`, text: check(at, from) }]),
  ]);
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
}

/** What is wrong with the generic plans: by the name of the statement. */
async function faults(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, text } of planned) {
    const { rows } = await db.lookUpPool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    const wrong = [...faultsOf(name, rows[0]["QUERY PLAN"][0].Plan)];
    if (wrong.length > 0) found[name] = wrong;
  }
  return found;
}

/**
 * What is wrong with the plans of the statements that Prisma sends for one key and one group of the huge account. These are
 * planned each time, with the values, so it does not matter how they were planned before.
 */
async function faultsOfPrisma(): Promise<Record<string, string[]>> {
  const { rows: keys } = await db.pool.query(
    "SELECT account_id, max(id) AS id FROM api_key GROUP BY account_id ORDER BY count(*) DESC LIMIT 1",
  );
  const { account_id: accountId, id: apikeyId } = keys[0] as { account_id: AccountId; id: string };
  const actor = { kind: "rest", name: "test", address: null } as const;
  const groupId = randomBytes(12).toString("hex");
  const sent = await sentStatements(async () => {
    await findKey(db, accountId, apikeyId);
    await changeKey(db.prisma, accountId, actor, { apikeyId, version: undefined }, renaming(groupId));
    await rotateSecret(db, accountId, actor, { apikeyId, hash: randomBytes(32), graceSeconds: 60 });
    await insertGroup(db, accountId, actor, { id: groupId, name: groupId, description: "" });
    await updateGroup(db, accountId, actor, groupId, { description: "changed" }, { description: "" });
  });
  const found: Record<string, string[]> = {};
  for (const { text = "", values = [] } of sent) {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) continue;
    const { rows } = await db.pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    const wrong = [...faultsOf("", rows[0]["QUERY PLAN"][0].Plan)];
    if (wrong.length > 0) found[text.trim().slice(0, 80)] = wrong;
  }
  expect(sent.length).toBeGreaterThan(10);
  return found;
}

function* faultsOf(statement: string, plan: Plan): Generator<string> {
  const { "Node Type": node, "Relation Name": table, "Index Name": name, "Index Cond": condition = "" } = plan;
  const isWanted = WHOLE.some((whole) => whole.table === table && whole.only === statement);
  if (node === "Seq Scan" && !isWanted) yield `reads all of ${table}`;
  if (name !== undefined) {
    const given = [...condition.matchAll(/\(?(\w+) = /g)].map(([, column]) => column as string);
    const { isUnique, columns } = indexes.get(name) as Index;
    const isLookUp = isUnique && columns.every((column) => given.includes(column));
    const isWalk = WALKS.some(
      (walk) =>
        walk.index === name &&
        (walk.only ?? statement) === statement &&
        walk.given.every((column) => given.includes(column)),
    );
    if (!isLookUp && !isWalk) yield `${name} (${columns.join(", ")}) by ${condition || "nothing"}`;
  }
  for (const part of plan.Plans ?? []) yield* faultsOf(statement, part);
}

/** Inserts a huge account with the number `first`, and small ones after it, with rows in every table that is read. */
async function fill(first: number, keysOfHuge: number, smallAccounts: number): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query(`
      SET session_replication_role = replica;
      SET synchronous_commit = off;
      CREATE TEMP TABLE filled AS
        SELECT lpad(to_hex(a), 24, '0') AS account, a || '@example.com' AS email,
          CASE a WHEN ${first} THEN ${keysOfHuge} ELSE ${KEYS_OF_SMALL} END AS keys,
          CASE a WHEN ${first} THEN 100 ELSE 2 END AS groups
        FROM generate_series(${first}, ${first + smallAccounts}) AS a;
      INSERT INTO account (id, email) SELECT account, email FROM filled;
      INSERT INTO session (id, token, account_id, expires_at) SELECT account, account, account, now() FROM filled;
      INSERT INTO api_key_group (account_id, id, name)
        SELECT account, substr(md5(account || g), 1, 24), 'group ' || g FROM filled, generate_series(1, groups) AS g;
      CREATE TEMP TABLE filled_key AS
        SELECT account, 'sk-' || lpad(to_hex(k), 7, '0') AS key, k,
          CASE WHEN k % 2 = 0 THEN substr(md5(account || (k % groups + 1)), 1, 24) END AS its_group
        FROM filled, generate_series(1, keys) AS k;
      INSERT INTO api_key (account_id, id, name, is_default, group_id, value_hash)
        SELECT account, key, 'key ' || k, k = 1, its_group, sha256((account || key)::bytea) FROM filled_key;
      INSERT INTO key_route (hash, account_id, key_id)
        SELECT sha256((account || key)::bytea), account, key FROM filled_key;
      INSERT INTO earlier_value (hash, account_id, key_id, expires_at)
        SELECT sha256(('earlier ' || account || key)::bytea), account, key, now() FROM filled_key;
      INSERT INTO "authorization"
          (account_id, id, key_id, request_id, amount, day, month, expires_at, state, captured, settled_at)
        SELECT account, lpad(to_hex(k), 24, '0'), key, CASE WHEN k % 3 = 0 THEN key END, 1, current_date, current_date, now(),
          CASE WHEN k % 50 = 0 THEN 'held' ELSE 'captured' END, CASE WHEN k % 50 <> 0 THEN 1 END,
          CASE WHEN k % 50 <> 0 THEN now() END
        FROM filled_key;
      INSERT INTO key_day (account_id, key_id, day, spent, captures) SELECT account, key, current_date, 1, 1 FROM filled_key;
      INSERT INTO refusal_day (account_id, key_id, day, code, count)
        SELECT account, key, current_date, 'budget', 1 FROM filled_key`);
  } finally {
    // The connection has settings and tables of its own.
    client.release(true);
  }
}

/** Inserts a history of the huge account: creations of keys, and a change of prices for each hundred of them. */
async function fillHistory(accountId: AccountId, events: number): Promise<void> {
  await db.pool.query(
    `INSERT INTO event (account_id, id, at, actor, actor_name, action, after, prices, models)
      SELECT $1, lpad(to_hex(e), 24, '0'), now() - e * interval '1 minute', 'rest', 'sk-0000001',
        CASE WHEN e % 100 = 0 THEN 'models.set' ELSE 'key.created' END, '{}',
        CASE WHEN e % 100 = 0 THEN '[{"name": "example"}]'::jsonb END, CASE WHEN e % 100 = 0 THEN 'EXAMPLE-' || e END
      FROM generate_series(1, $2::int) AS e`,
    [accountId, events],
  );
}

/** All parts of a plan. */
function* partsOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const part of plan.Plans ?? []) yield* partsOf(part);
}

// The states follow one another in one database.
describe("every statement for one key or one group looks its rows up", () => {
  test("in an empty database that was never analysed", async () => {
    expect(await faults()).toEqual({});
  });

  test("in a database that was analysed while it was empty, after the upkeep", async () => {
    await db.pool.query("ANALYZE");
    await analyzeGrown(db.pool);
    expect(await faults()).toEqual({});
  });

  test("with a few rows, analysed", async () => {
    await fill(0, 60, 0);
    await db.pool.query("ANALYZE");
    expect(await faults()).toEqual({});
  });

  test("with many small accounts beside a huge one, but analysed with a few rows", async () => {
    await fill(1, KEYS_OF_HUGE, SMALL_ACCOUNTS);
    expect(await faults()).toEqual({});
  });

  test("the same, analysed", async () => {
    await db.pool.query("ANALYZE");
    expect(await faults()).toEqual({});
    expect(await faultsOfPrisma()).toEqual({});
  });

  test("a search of the history finds the changes of a model by the index of kinds", async () => {
    const { rows } = await db.pool.query(
      "SELECT account_id FROM api_key GROUP BY account_id ORDER BY count(*) DESC LIMIT 1",
    );
    const accountId = rows[0].account_id as AccountId;
    await fillHistory(accountId, 20_000);
    await db.pool.query("ANALYZE event");
    const filter = { apikeyId: undefined, groupId: undefined, action: undefined, actor: undefined };
    const search = { ...filter, search: "example-1700", from: undefined, to: undefined };
    const sent = await sentStatements(async () => {
      const found = await listEvents(db, accountId, search, { page: 1, pageSize: 50 });
      expect(found.data.map(({ id }) => Number.parseInt(id, 16))).toEqual([1_700, 17_000]);
    });
    const parts: Plan[] = [];
    for (const { text = "", values = [] } of sent.filter(({ text }) => /\bmodels LIKE\b/.test(text ?? ""))) {
      const { rows: plans } = await db.pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      parts.push(...partsOf(plans[0]["QUERY PLAN"][0].Plan));
    }
    expect(parts.filter((part) => part["Node Type"] === "Seq Scan" && part["Relation Name"] === "event")).toEqual([]);
    expect(parts.filter((part) => part["Index Name"] === "event_of_kind").length).toBeGreaterThan(0);
  });

  test("after every key was changed twice and nearly all were deleted, not analysed since", async () => {
    await db.pool.query("UPDATE api_key SET version = version + 1");
    await db.pool.query("UPDATE api_key SET version = version + 1");
    await db.pool.query("DELETE FROM api_key WHERE NOT is_default");
    await db.pool.query("DELETE FROM \"authorization\" WHERE state <> 'held'");
    expect(await faults()).toEqual({});
    expect(await faultsOfPrisma()).toEqual({});
  });
});
