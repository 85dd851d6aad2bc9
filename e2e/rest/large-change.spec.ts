import { once } from "node:events";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { type Database, openDatabase } from "@/server/db/client";
import { type Product, startProduct } from "../product";
import { type Account, callAt } from "./client";

// Limits of so many keys that they are written in parts. A database of its own, so that no other process undoes them.

const KEYS = 100_001;
const NAME = "large_change";
const url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${NAME}` }).href;

let admin: Client;
let database: Database;
let product: Product;
let account: Account;
let groupId: string;

beforeAll(async () => {
  admin = new Client(inject("databaseUrl"));
  await admin.connect();
  await admin.query(`CREATE DATABASE ${NAME}`);
  product = await startProduct({ env: { DATABASE_URL: url } });
  database = openDatabase(url);
  const by = { kind: "command_line", name: "test", address: null } as const;
  account = await createAccount(database, { email: "large@example.com", isProven: true, keyPrefix: "sk-", by });
  groupId = (await call("POST", "/v1/apikey_groups", { name: "Large" })).body.group_id;
  await database.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id, budget, monthly_limit)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n, $2, 100, 5 FROM generate_series(1, $3::int) AS n`,
    [account.account_id, groupId, KEYS],
  );
});
afterAll(async () => {
  await product.stop();
  await database.close();
  await admin.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
  await admin.end();
});

const call = (method: string, path: string, body?: object) =>
  callAt(product.url, method, path, { key: account.apikey, body });
const setLimits = (body: object) => call("POST", `/v1/apikey_groups/${groupId}/batch_budget`, body);
const group = async () => (await call("GET", `/v1/apikey_groups/${groupId}`)).body;
const events = async () => (await call("GET", "/v1/history?action=key.limits_set")).body.data;

/** How many keys a large change has written, complete or not. */
async function countWritten(): Promise<number> {
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS count FROM api_key WHERE account_id = $1 AND limit_change_id IS NOT NULL",
    [account.account_id],
  );
  return rows[0].count;
}

const OLD = { budget: 100, daily_limit: null, monthly_limit: 5 };

test("kill -9 in the middle: nothing changed, at once for readers, and the next start says so", async () => {
  const answer = setLimits({ budget: 1, daily_limit: 1 }).catch(() => undefined);
  await expect.poll(countWritten, { interval: 5 }).toBeGreaterThan(0);
  product.process.kill("SIGKILL");
  await once(product.process, "exit");
  expect(await answer).toBeUndefined();
  const left = await countWritten();
  expect([left > 0, left < KEYS]).toEqual([true, true]);

  product = await startProduct({ env: { DATABASE_URL: url } });
  const { shared_limits, differing_limits } = await group();
  expect([shared_limits, differing_limits]).toEqual([expect.objectContaining(OLD), []]);
  expect((await call("GET", "/v1/apikeys/sk-0000001")).body).toMatchObject({ ...OLD, version: 1 });
  // This change waits until the other one is undone.
  const changed = await call("POST", "/v1/apikeys/sk-0000001/budget", { daily_limit: 9 });
  expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ budget: 100, daily_limit: 9 })]);
  await expect.poll(() => product.output()).toContain("a large change of limits was cut off: nothing changed");
  expect(await countWritten()).toBe(0);
  expect(await events()).toEqual([expect.objectContaining({ key_count: 1 })]);
});

test("to the end: every key at one moment, one event, and a change of a key meanwhile comes after it", async () => {
  let isDone = false;
  const answer = setLimits({ budget: 2 }).finally(() => {
    isDone = true;
  });
  await expect.poll(countWritten, { interval: 5 }).toBeGreaterThan(0);
  expect((await group()).shared_limits).toMatchObject({ budget: 100 });
  const single = call("POST", "/v1/apikeys/sk-0000001/budget", { budget: 3 });
  const budgets = new Set<unknown>();
  while (!isDone) {
    const { shared_limits, differing_limits } = await group();
    if (!differing_limits.includes("budget")) budgets.add(shared_limits.budget);
    else expect((await call("GET", "/v1/apikeys/sk-0000001")).body.budget).toBe(3);
  }
  const { status, body } = await answer;
  expect([status, body]).toEqual([
    200,
    { success: true, message: `Limits updated on ${KEYS} API keys.`, updated_count: KEYS, failed_count: 0 },
  ]);
  expect([...budgets].filter((budget) => budget !== 100 && budget !== 2)).toEqual([]);
  expect((await single).body).toMatchObject({ budget: 3 });
  const [last, large] = await events();
  expect(last).toMatchObject({ key_count: 1, after: { budget: 3 }, keys: [{ before: { budget: 2 } }] });
  expect(large).toMatchObject({ key_count: KEYS, group_name: "Large", after: { budget: 2 } });
  const page = await call("GET", `/v1/history/${large.id}/keys?page=1001&page_size=100`);
  expect(page.body).toMatchObject({
    total: KEYS,
    data: [{ apikey_id: "sk-0100001", name: "key 100001", before: { budget: 100 } }],
  });
  const { body: read } = await call("GET", "/v1/apikeys/sk-0100001");
  expect(read).toMatchObject({ budget: 2, monthly_limit: 5, version: 2 });
});
