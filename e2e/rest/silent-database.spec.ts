import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Product, startProduct, temporaryFolder } from "../product";
import { type Account, callAt, database, newAccount, newKey } from "./client";
import { Way } from "./way";

const CLIENTS = 24;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let way: Way;
let product: Product;
let account: Account;
let apikey: string;

beforeAll(async () => {
  way = await Way.to(inject("databaseUrl"));
  folder = await temporaryFolder();
  product = await startProduct({ env: { DATABASE_URL: way.url, DATA_DIR: folder.path } });
  account = await newAccount();
  ({ apikey } = await newKey(account, { budget: 1_000_000 }));
});
afterAll(async () => {
  way.open();
  await product.stop();
  way.close();
  await folder.remove();
});

const readiness = async () => {
  const response = await fetch(`${product.url}/readyz`);
  return { status: response.status, body: await response.json() };
};
const authorize = (request_id: string) =>
  callAt(product.url, "POST", "/v1/authorizations", { key: account.apikey, body: { apikey, amount: 1, request_id } });
const timed = async <Result>(work: Promise<Result>): Promise<[Result, number]> => {
  const begun = performance.now();
  return [await work, performance.now() - begun];
};

test("what is under way when the database falls silent ends soon with 503; nothing answered is lost, and repeats count once", async () => {
  await expect.poll(readiness).toEqual({ status: 200, body: { status: "ready" } });
  let ids = 0;
  const granted = new Map<string, string>();
  const unanswered: string[] = [];
  const durations: number[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const id = `request-${ids++}`;
        const [{ status, body, headers }, ms] = await timed(authorize(id));
        durations.push(ms);
        statuses.add(status);
        if (status === 200) granted.set(id, body.authorization_id);
        else {
          expect(headers.get("retry-after")).toBe("1");
          unanswered.push(id);
        }
      }
    }),
  );
  await expect.poll(() => granted.size).toBeGreaterThan(50);
  way.silence();
  const [silent, ms] = await timed(readiness());
  expect(silent).toMatchObject({ status: 503, body: { status: "not ready", cause: "database_silent" } });
  // It is a second on a machine that is not busy. Without a deadline of its own it is 35 s.
  expect(ms).toBeLessThan(30_000);
  await expect.poll(product.output).toContain('"cause":"database_silent"');
  // Each client had a request under way.
  await expect.poll(() => unanswered.length).toBeGreaterThanOrEqual(CLIENTS);
  way.open();
  const before = granted.size;
  await expect.poll(() => granted.size).toBeGreaterThan(before);
  isOver = true;
  await load;
  expect([...statuses].sort()).toEqual([200, 503]);
  // It is 7 s on a machine that is not busy. Without the heartbeat it is 35 s.
  expect(Math.max(...durations)).toBeLessThan(30_000);
  await expect.poll(readiness).toMatchObject({ status: 200 });

  const repeated = await Promise.all(unanswered.slice(0, 100).map(authorize));
  expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([200]));
  const { rows } = await database.pool.query<{ request_id: string; id: string }>(
    `SELECT request_id, id FROM "authorization" WHERE account_id = $1`,
    [account.account_id],
  );
  const kept = new Map(rows.map((row) => [row.request_id, row.id]));
  expect(rows).toHaveLength(kept.size);
  expect([...granted].filter(([request, id]) => id !== account.account_id + kept.get(request))).toEqual([]);
});

test("a statement that takes long is not ended while the database answers others", async () => {
  const lock = await database.pool.connect();
  try {
    await lock.query("BEGIN");
    await lock.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [account.account_id]);
    const id = apikey.slice(0, 10);
    await lock.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR UPDATE", [account.account_id, id]);
    const waiting = timed(authorize("a request that waits for a lock"));
    await expect
      .poll(() =>
        lock.query("SELECT clock_timestamp() - now() > '11 seconds' AS is_over").then(({ rows }) => rows[0].is_over),
      )
      .toBe(true);
    await lock.query("COMMIT");
    const [{ status }, ms] = await waiting;
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(10_000);
  } finally {
    lock.release();
  }
});
