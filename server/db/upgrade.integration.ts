import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ClientBase, Pool } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { FIND_SESSION } from "../auth/statements/find-session";
import { ValidKeys } from "../auth/valid-keys";
import { auditBooks } from "../authorizations/audit-queries";
import { Authorizer } from "../authorizations/authorizer";
import { newObjectId } from "../input/new-object-id";
import { KeyInsertion } from "../keys/insertion";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { rotateSecret } from "../keys/secret-queries";
import { limitsOf } from "../limits/apply";
import { copyMigrations, type OlderDatabase, openOlderDatabase } from "../testing/older-database";
import released from "../testing/released.json" with { type: "json" };
import { openDatabase } from "./client";
import { migrate } from "./migrate";
import { run } from "./statement";
import { inTransaction } from "./transaction";

/**
 * What the released version does not know, so that its decisions leave it as it is: the counter of open holds came before
 * the rule that `checks/migrations.test.ts` holds.
 */
const UNKNOWN_TO_RELEASED = ["open_holds"];
/** Ten times as long as a migration waits for a table. */
const LONGEST_WAIT = "5s";

const RULES = { maxOpenHolds: 1000, maxCaptureFactor: undefined };
const ACCOUNT = "0123456789abcdef01234567";
const TOKEN = "token-of-a-browser-that-is-signed-in";

let older: OlderDatabase;
let url: string;
let pool: Pool;

/** A database with the schema of the released version and data, and a folder with the migrations of the next version. */
beforeEach(async () => {
  older = await openOlderDatabase((each) => each <= released.migration);
  ({ url } = older);
  await copyMigrations(older.migrations, (each) => each > released.migration);
  await addMigration(
    "99990101000000_next",
    `ALTER TABLE "api_key" ADD COLUMN "next" INTEGER NOT NULL DEFAULT 7;
    ALTER TABLE "authorization" ADD COLUMN "next" TEXT;
    CREATE TABLE "next" (id TEXT PRIMARY KEY);`,
  );
  await addMigration(
    "99990102000000_next",
    `CREATE INDEX CONCURRENTLY "api_key_next" ON "api_key" ("account_id", "next")`,
  );
  pool = new Pool({ connectionString: url, max: 8, onConnect: (client) => client.query(SETTINGS) });
  pool.on("error", () => {});
  await pool.query("INSERT INTO account (id, email) VALUES ($1, 'a@example.com')", [ACCOUNT]);
  await pool.query(
    "INSERT INTO session (id, token, account_id, expires_at) VALUES ('1', $1, $2, now() + interval '1 day')",
    [TOKEN, ACCOUNT],
  );
});
afterEach(async () => {
  await pool.end();
  await older.remove();
});

const SETTINGS = `SET lock_timeout = '${LONGEST_WAIT}'; SET plan_cache_mode = force_generic_plan`;

async function addMigration(migration: string, sql: string): Promise<void> {
  await mkdir(join(older.migrations, migration));
  await writeFile(join(older.migrations, migration, "migration.sql"), sql);
}

/** Migrates as a process does: it tries again while a table is in use. */
async function upgrade(): Promise<string[]> {
  for (;;) {
    try {
      return await migrate(url, older.migrations);
    } catch (error) {
      if ((error as { code?: string }).code !== "55P03") throw error;
    }
  }
}

/** A statement of the released version, prepared as that version prepares it. */
async function ask(client: ClientBase | Pool, statement: keyof typeof released.statements, values: unknown[]) {
  const { rows } = await client.query({ name: statement, text: released.statements[statement], values });
  return rows;
}

async function createKey(): Promise<{ id: string; value: string }> {
  const { id, value } = makeKeyValue("sk-");
  const event = [newObjectId(), "rest", "sk-default", null, "{}"];
  const limits = ["1000000", null, "500000", "900000", null, null];
  const key = [ACCOUNT, id, "a key", null, hashKeyValue(value), ...event, ...limits];
  const inserted = await ask(
    pool,
    "insert-keys",
    key.map((each) => [each]),
  );
  expect(inserted).toEqual([{ place: 1 }]);
  return { id, value };
}

async function recognise({ id, value }: { id: string; value: string }): Promise<void> {
  const callers = await ask(pool, "find-callers", [[hashKeyValue(value)]]);
  expect(callers).toMatchObject([{ account_id: ACCOUNT, id }]);
}

/** Locks a key, and returns its counters. */
async function lock(client: ClientBase, id: string) {
  expect(await ask(client, "lock-keys", [[ACCOUNT], [id]])).toHaveLength(1);
  const [row] = await ask(client, "read-locked-keys", [[ACCOUNT], [id], [false]]);
  return row;
}

/**
 * @param spent what the counters of what was spent grow by; `held`: those of what is held. The counters of another day or month
 * than that of the authorization stay as they are: a run may meet the midnight of the account.
 */
function writeCounters(
  client: ClientBase,
  row: Awaited<ReturnType<typeof lock>>,
  { spent, held, day, month }: { spent: number; held: number; day: string; month: string },
  ttl: number | null,
) {
  const window = (name: string, counts = true) => [
    Number(row[`${name}_spent`]) + (counts ? spent : 0),
    Number(row[`${name}_held`]) + (counts ? held : 0),
  ];
  const ofDay = window("daily_limit", day === row.day);
  const ofMonth = window("monthly_limit", month === row.month);
  const counters = [...window("budget"), row.day, ...ofDay, row.month, ...ofMonth];
  const values = [ACCOUNT, row.key_id, ...counters, ttl];
  return ask(
    client,
    "write-counters",
    values.map((value) => [value]),
  );
}

function hold(id: string): Promise<string> {
  return inTransaction(pool, async (client) => {
    const row = await lock(client, id);
    await writeCounters(client, row, { spent: 0, held: 3, day: row.day, month: row.month }, 300);
    const authorization = newObjectId();
    const values = [ACCOUNT, authorization, id, null, "3", row.day, row.month, 300];
    await ask(
      client,
      "insert-authorizations",
      values.map((value) => [value]),
    );
    return authorization;
  });
}

function capture(id: string, authorization: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    const row = await lock(client, id);
    const [held] = await ask(client, "read-authorizations", [[ACCOUNT], [authorization]]);
    expect(held).toMatchObject({ state: "held", key_id: id });
    await writeCounters(client, row, { spent: 2, held: -3, day: held.day, month: held.month }, null);
    const lists = (...values: unknown[]) => values.map((value) => [value]);
    await ask(client, "settle-authorizations", lists(ACCOUNT, authorization, "captured", "2", false, false));
    await ask(client, "insert-ledger", lists(ACCOUNT, authorization, id, held.day, "2", false, false));
    await ask(client, "add-to-days", lists(ACCOUNT, id, held.day, "2", 1));
  });
}

/** What the released version does for its callers, again and again, until it is stopped. */
function serve(keys: { id: string; value: string }[]) {
  const served = { rounds: 0, isOver: false };
  const turn = async (first: number) => {
    for (let at = first; !served.isOver; at++) {
      const key = keys[at % keys.length] as (typeof keys)[number];
      await recognise(key);
      const authorization = await hold(key.id);
      // Every fourth hold stays open.
      if (at % 4 !== 0) await capture(key.id, authorization);
      if (at % 5 === 0) keys.push(await createKey());
      served.rounds++;
    }
  };
  const turns = Promise.all([0, 3, 6, 9].map(turn));
  // Otherwise an error before `stop` would end the process of the tests.
  turns.catch(() => {});
  return {
    /** Waits until so many more rounds were served. */
    async more(rounds: number) {
      const target = served.rounds + rounds;
      await Promise.race([turns, expect.poll(() => served.rounds).toBeGreaterThanOrEqual(target)]);
    },
    async stop() {
      served.isOver = true;
      await turns;
    },
  };
}

test("the released version serves while the next one migrates, and the next one goes on with its data", async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, createKey));
  const serving = serve(keys);
  await serving.more(20);
  expect((await upgrade()).at(-1)).toBe("99990102000000_next");
  await serving.more(20);
  await serving.stop();

  for (const [statement, text] of Object.entries(released.statements)) {
    await pool.query(`PREPARE "still ${statement}" AS ${text}`);
    await pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
  }
  const client = await pool.connect();
  const { counts, differences } = await auditBooks(client, 400);
  client.release();
  expect(counts.ledger_rows).toBeGreaterThanOrEqual(30);
  expect(differences.filter(({ check }) => !UNKNOWN_TO_RELEASED.includes(check))).toEqual([]);

  const next = openDatabase(url);
  try {
    // The released version has created it since the migration.
    const key = keys.at(-1) as { id: string; value: string };
    const call = { apikey: key.value, amount: 1, inputPrice: undefined, outputPrice: undefined, requestId: undefined };
    const answer = await new Authorizer(next, RULES).authorize(
      { ...call, ttlSeconds: 60 },
      { name: "g", accountIds: undefined },
    );
    expect(answer.verdict).toBe("granted");
    const hashed = createHash("sha256").update(TOKEN).digest("hex");
    expect(await run(next.lookUpPool, FIND_SESSION, [hashed])).toMatchObject([{ id: "1", account_id: ACCOUNT }]);
    const { rows } = await next.pool.query(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = 'api_key_next'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  } finally {
    await next.close();
  }
});

test("the released version uses a key that the next one has created, rotates it, and the next one goes on with it", async () => {
  await upgrade();
  const next = openDatabase(url);
  try {
    const by = { kind: "command_line", name: "test", address: null } as const;
    const { id, value } = makeKeyValue("sk-");
    const key = { id, hash: hashKeyValue(value), name: "a key", groupId: null, limits: limitsOf({ budget: 10 }) };
    await new KeyInsertion(next).insert(ACCOUNT as AccountId, by, key);
    await recognise({ id, value });
    await inTransaction(pool, async (client) => {
      await ask(client, "lock-keys", [[ACCOUNT], [id]]);
      const [row] = await ask(client, "read-locked-keys", [[ACCOUNT], [id], [true]]);
      expect(row.value_hashes).toBe(key.hash.toString("base64"));
    });

    const find = (found: string) => new ValidKeys(next).find(hashKeyValue(found));
    const values = [value];
    for (const grace of [3600, 3600, 0]) {
      const newest = makeKeyValue("sk-").value;
      await inTransaction(pool, (client) => rotateAsReleased(client, id, hashKeyValue(newest), grace));
      values.push(newest);
    }
    const [first, second, third, fourth] = await Promise.all(values.map(find));
    expect([first, second, third]).toEqual([undefined, undefined, undefined]);
    expect(fourth).toEqual({ accountId: ACCOUNT, keyId: id, isDefault: false, isInGrace: false });

    const { value: fifth } = makeKeyValue("sk-");
    const rotation = { apikeyId: id, hash: hashKeyValue(fifth), graceSeconds: 3600 };
    expect(await rotateSecret(next, ACCOUNT as AccountId, by, rotation)).toMatchObject({ ok: true });
    await recognise({ id, value: values[3] as string });
    await recognise({ id, value: fifth });
    const { value: sixth } = makeKeyValue("sk-");
    await inTransaction(pool, (client) => rotateAsReleased(client, id, hashKeyValue(sixth), 60));
    expect(await find(fifth)).toMatchObject({ isInGrace: true });
    expect(await find(sixth)).toMatchObject({ isInGrace: false });
    expect(await find(values[3] as string)).toBeUndefined();
  } finally {
    await next.close();
  }
});

/** What a rotation of the released version writes, but for its event. */
async function rotateAsReleased(client: ClientBase, id: string, hash: Buffer, graceSeconds: number): Promise<void> {
  await client.query(
    `DELETE FROM key_secret
      WHERE account_id = $1 AND key_id = $2 AND (expires_at IS NOT NULL OR $3::int = 0)`,
    [ACCOUNT, id, graceSeconds],
  );
  await client.query(
    `UPDATE key_secret SET expires_at = now() + make_interval(secs => $3)
      WHERE account_id = $1 AND key_id = $2 RETURNING expires_at AS until`,
    [ACCOUNT, id, graceSeconds],
  );
  await client.query("INSERT INTO key_secret (hash, account_id, key_id) VALUES ($3, $1, $2)", [ACCOUNT, id, hash]);
}

test("a migration that waits for a table in use keeps nobody waiting, and is applied when the table is free", async () => {
  const key = await createKey();
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query("BEGIN");
  await reader.query("SELECT FROM api_key");
  const upgraded = upgrade();
  upgraded.catch(() => {});
  const isWaiting = async () => {
    const { rows } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'allowance migrate' AND wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  };
  // It waits, gives up, and waits again. A round that comes after it in the queue must not fail.
  for (let times = 0; times < 2; times++) {
    await expect.poll(isWaiting, { interval: 20 }).toBe(true);
    await capture(key.id, await hold(key.id));
    await recognise(key);
  }
  await reader.end();
  expect((await upgraded).at(-1)).toBe("99990102000000_next");
});

test("an index whose building was interrupted is built again", async () => {
  await pool.query('CREATE INDEX "api_key_next" ON api_key (account_id)');
  await pool.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'api_key_next'::regclass`);
  await upgrade();
  const { rows } = await pool.query("SELECT pg_get_indexdef('api_key_next'::regclass) AS index");
  expect(rows[0].index).toMatch(/\(account_id, next\)$/);
});
