import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { createAccount } from "../auth/accounts";
import { type Database, openDatabase } from "../db/client";
import { migrate } from "../db/migrate";
import { database } from "../testing/database";
import { auditBooks } from "./audit-queries";
import { Authorizer } from "./authorizer";
import { maintainPartitions } from "./ledger";
import { deleteRefusals, deleteSettled } from "./upkeep-queries";

const NAME = "ledger_upkeep";
const RETENTION = 31;

// A database of its own, because all tests share the partitions.
let url: string;
let db: Database;
let authorizer: Authorizer;
let accountId: AccountId;
let apikey: string;

beforeAll(async () => {
  const { pool } = database;
  await pool.query(`DROP DATABASE IF EXISTS ${NAME}`);
  await pool.query(`CREATE DATABASE ${NAME}`);
});
afterAll(() => database.pool.query(`DROP DATABASE ${NAME} WITH (FORCE)`));
beforeEach(async () => {
  const address = new URL(String(database.pool.options.connectionString));
  address.pathname = `/${NAME}`;
  url = address.href;
  db = openDatabase(url);
  await db.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await migrate(url);
  authorizer = new Authorizer(db, { maxOpenHolds: 1000 });
  const by = { kind: "command_line", name: "test", address: null } as const;
  const account = await createAccount(db, { email: "a@example.com", isProven: true, keyPrefix: "sk-", by });
  accountId = account.account_id;
  apikey = account.apikey;
  return () => db.close();
});

const hold = async (): Promise<string> => {
  const prices = { inputPrice: undefined, outputPrice: undefined };
  const answer = await authorizer.authorize(
    { apikey, amount: 2, ...prices, requestId: undefined, ttlSeconds: 60 },
    accountId,
  );
  return answer.authorizationId ?? "";
};
const spend = async () => {
  const id = await hold();
  expect(await authorizer.capture(accountId, { id, amount: 1 })).toMatchObject({ ok: true, isNew: true });
};
const partitions = async (): Promise<string[]> => {
  const { rows } = await db.pool.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => name);
};
const rowsIn = async (table: string): Promise<number> =>
  (await db.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
/** The name of the partition of a day, counted from today in UTC. */
const named = (days: number) =>
  `ledger_${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "")}`;
const addPartition = async (days: number) => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  await db.pool.query(
    `CREATE TABLE ${named(days)} PARTITION OF ledger FOR VALUES FROM ('${day(days)}') TO ('${day(days + 1)}')`,
  );
};

describe("partitions", () => {
  test("are made for today and seven days ahead; captures go to that of today", async () => {
    await maintainPartitions(db, RETENTION);
    expect(await partitions()).toEqual([...Array.from({ length: 8 }, (_, i) => named(i)), "ledger_other"]);
    await spend();
    expect([await rowsIn(named(0)), await rowsIn("ledger_other")]).toEqual([1, 0]);
    await maintainPartitions(db, RETENTION);
    expect(await partitions()).toHaveLength(9);
  });

  test("a day without one goes to the last one, and stays there when the others are made", async () => {
    await spend();
    expect(await rowsIn("ledger_other")).toBe(1);
    await maintainPartitions(db, RETENTION);
    expect(await partitions()).toEqual([...Array.from({ length: 7 }, (_, i) => named(i + 1)), "ledger_other"]);
    await spend();
    expect([await rowsIn("ledger_other"), await rowsIn("ledger")]).toEqual([2, 2]);
  });

  test("are dropped after the retention, and not before; the last one is emptied when all in it is older", async () => {
    for (const days of [-RETENTION - 1, -RETENTION]) await addPartition(days);
    await db.pool.query(
      `INSERT INTO ledger (account_id, authorization_id, key_id, recorded_on, day, amount, overrun, late)
        SELECT $1, n::text, 'k', (now() AT TIME ZONE 'UTC')::date - n, now(), 1, false, false
        FROM unnest($2::int[]) n`,
      [accountId, [RETENTION, RETENTION + 1, RETENTION + 2, RETENTION + 9]],
    );
    expect(await rowsIn("ledger_other")).toBe(2);
    await maintainPartitions(db, RETENTION);
    expect((await partitions()).slice(0, 2)).toEqual([named(-RETENTION), named(0)]);
    expect([await rowsIn("ledger"), await rowsIn("ledger_other")]).toEqual([1, 0]);
  });

  test("by four processes at once: made once, no error", async () => {
    await addPartition(-RETENTION - 1);
    await Promise.all(Array.from({ length: 4 }, () => maintainPartitions(db, RETENTION)));
    expect(await partitions()).toHaveLength(9);
  });
});

test("captures go on while someone reads the ledger for long and partitions are to be made and dropped", async () => {
  await maintainPartitions(db, RETENTION);
  await addPartition(-RETENTION - 1);
  await db.pool.query(`DROP TABLE ${named(7)}`);
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await reader.query("SELECT count(*) FROM ledger");
  let longest = 0;
  let isOn = true;
  const captures = (async () => {
    while (isOn) {
      const begun = performance.now();
      await spend();
      longest = Math.max(longest, performance.now() - begun);
    }
  })();
  await expect(maintainPartitions(db, RETENTION)).rejects.toMatchObject({ code: "55P03" });
  await reader.query("COMMIT");
  await reader.end();
  await maintainPartitions(db, RETENTION);
  isOn = false;
  await captures;
  expect(longest).toBeLessThan(2_000);
  expect(await partitions()).toEqual([...Array.from({ length: 8 }, (_, i) => named(i)), "ledger_other"]);
});

test("what is recorded is never changed and never deleted", async () => {
  await maintainPartitions(db, RETENTION);
  await spend();
  for (const sql of ["UPDATE ledger SET amount = 0", "DELETE FROM ledger", `DELETE FROM ${named(0)}`]) {
    await expect(db.pool.query(sql)).rejects.toThrow("the ledger is append-only");
  }
  expect(await rowsIn("ledger")).toBe(1);
});

test("settled authorizations are forgotten after the retention, open ones and later ones are not", async () => {
  await maintainPartitions(db, RETENTION);
  for (let i = 0; i < 3; i++) await spend();
  const open = await hold();
  const { rows } = await db.pool.query("SELECT id FROM \"authorization\" WHERE state = 'captured' ORDER BY id LIMIT 2");
  const [old, kept] = rows.map(({ id }) => id);
  const age = async (id: string, days: number) => {
    const seconds = Math.floor(Date.now() / 1000) - days * 86_400;
    await db.pool.query(
      `UPDATE "authorization" SET id = $2 || substr(id, 9), settled_at = settled_at - make_interval(days => $3),
        created_at = created_at - make_interval(days => $3) WHERE id = $1`,
      [id, seconds.toString(16).padStart(8, "0"), days],
    );
  };
  await age(old, RETENTION + 1);
  await age(kept, RETENTION - 1);
  await age(open, RETENTION + 9);
  expect(await deleteSettled(db, RETENTION)).toBe(1);
  expect(await deleteSettled(db, RETENTION)).toBe(0);
  expect(await rowsIn('"authorization"')).toBe(3);
});

test("single refusals are deleted after their days, of each account; their counts and later ones stay", async () => {
  const by = { kind: "command_line", name: "test", address: null } as const;
  const other = await createAccount(db, { email: "b@example.com", isProven: true, keyPrefix: "sk-", by });
  await db.pool.query("UPDATE api_key SET disabled_at = now()");
  for (const value of [apikey, apikey, other.apikey]) {
    const prices = { inputPrice: undefined, outputPrice: undefined };
    const call = { apikey: value, amount: 2, ...prices, requestId: undefined, ttlSeconds: 60 };
    expect(await authorizer.authorize(call, value === apikey ? accountId : other.account_id)).toMatchObject({
      verdict: "key_disabled",
    });
  }
  await db.pool.query(
    `UPDATE refusal SET recorded_on = recorded_on - CASE WHEN id = (SELECT max(id) FROM refusal WHERE account_id = $1)
      THEN 14 ELSE 15 END`,
    [accountId],
  );
  expect(await deleteRefusals(db, 14)).toBe(2);
  expect(await deleteRefusals(db, 14)).toBe(0);
  expect(await rowsIn("refusal")).toBe(1);
  const { rows } = await db.pool.query("SELECT count FROM refusal_day ORDER BY count");
  expect(rows).toEqual([{ count: 1 }, { count: 2 }]);
});

test("the audit compares the days by model with the ledger", async () => {
  await maintainPartitions(db, RETENTION);
  await db.pool.query(
    `WITH priced AS (
        INSERT INTO operator_price (id, name, aliases, input_price, output_price)
        VALUES (repeat('0', 24), 'large', '{}', 18, 72)
      )
      UPDATE operator_catalogue SET prices_version = prices_version + 1`,
  );
  const call = { model: "large", inputTokens: 1_000, maxOutputTokens: 500 };
  const { authorizationId } = await authorizer.authorize(
    { apikey, ...call, requestId: undefined, ttlSeconds: 60 },
    accountId,
  );
  const usage = { inputTokens: 900, cachedInputTokens: 400, outputTokens: 100 };
  expect(await authorizer.capture(accountId, { id: authorizationId ?? "", usage })).toMatchObject({ ok: true });
  const client = new Client({ connectionString: url });
  await client.connect();
  const found = async (sql: string) => {
    await client.query(sql);
    const { differences } = await auditBooks(client, RETENTION);
    return differences.map(({ check, expected, found }) => [check, expected, found]);
  };
  expect(await found("SELECT 1")).toEqual([]);
  expect(await found("UPDATE model_day SET output_tokens = 99, spent = spent + 1")).toEqual([
    ["model_day.spent", "0.023400000", "1.023400000"],
    ["model_day.output_tokens", "100", "99"],
  ]);
  expect(await found("UPDATE model_day SET output_tokens = 100, spent = spent - 1, model = 'other'")).toHaveLength(10);
  const wrongUsage = `UPDATE "authorization" SET usage = jsonb_set(usage, '{output_tokens}', '7')`;
  expect(await found(`WITH back AS (UPDATE model_day SET model = 'large') ${wrongUsage}`)).toEqual([
    ["ledger", expect.stringMatching(/900 400 7 large$/), expect.stringMatching(/900 400 100 large$/)],
  ]);
  await client.end();
});

test("the audit finds nothing where a part of the ledger has been dropped", async () => {
  await maintainPartitions(db, RETENTION);
  await spend();
  await db.pool.query(
    `WITH earlier AS (
        INSERT INTO key_day (account_id, key_id, day, spent, captures)
        SELECT account_id, key_id, day - 40, 5, 1 FROM key_day RETURNING spent
      ) UPDATE api_key SET spent = api_key.spent + 5 WHERE EXISTS (SELECT FROM earlier)`,
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  const { counts, differences } = await auditBooks(client, RETENTION);
  await client.end();
  expect(counts.ledger_from).not.toBe(null);
  expect(differences).toEqual([]);
});
