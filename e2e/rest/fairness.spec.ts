import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { type Database, openDatabase } from "@/server/db/client";
import { openEmbedded } from "@/server/db/embedded";
import type { AppRouter } from "@/server/router";
import { dataFolder } from "../data-folder";
import { type Product, startProduct } from "../product";
import { type Account, type Answer, call, callOnce, newAccount, newKey, TOO_MANY_AT_ONCE } from "./client";
import { FastClient } from "./raw";

const RATE = 20;

const times = <T>(n: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));

/** A product of its own, which runs for the tests of a `describe`, with its database. */
function startedWith(env: Record<string, string>) {
  let product: Product;
  let database: Database;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    const folder = await dataFolder();
    product = await startProduct({ env: { DATA_DIR: folder.path, ...env } });
    const embedded = await openEmbedded(folder.path, "command", pino({ level: "silent" }));
    database = openDatabase(embedded.url);
    closers.push(
      () => database.close(),
      () => embedded.close(),
      () => product.stop(),
      () => folder.remove(),
    );
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  return {
    db: () => database,
    url: () => product.url,
    send: (method: string, path: string, account: Account, body?: object): Promise<Answer> =>
      callOnce(product.url, method, path, { key: account.apikey, ...(body && { body }) }),
    account: (): Promise<Account> => {
      const by = { kind: "command_line", name: "test", address: null } as const;
      return createAccount(database, { email: `${randomUUID()}@example.com`, isProven: true, keyPrefix: "sk-", by });
    },
  };
}

describe("at the defaults, many requests of one account at once are served", () => {
  const send = (method: string, path: string, key: string, body?: object) =>
    callOnce(inject("productUrl"), method, path, { key, ...(body && { body }) });

  test("100 new groups, and 100 lists of them", async () => {
    const { apikey } = await newAccount();
    const made = await times(100, (i) => send("POST", "/v1/apikey_groups", apikey, { name: `group ${i}` }));
    expect(made.map(({ status }) => status)).toEqual(Array(100).fill(201));
    const lists = await times(100, () => send("GET", "/v1/apikey_groups/search", apikey));
    expect(lists.map(({ status, body }) => [status, body.total])).toEqual(Array(100).fill([200, 100]));
  });

  test("60 exports", async () => {
    const account = await newAccount();
    await newKey(account);
    const exports = await times(60, () => send("GET", "/v1/apikeys/export", account.apikey));
    expect(exports.map(({ status, body }) => [status, body.data.length])).toEqual(Array(60).fill([200, 2]));
  });

  test("no header speaks of a rate limit", async () => {
    const { headers } = await call("GET", "/v1/account", { key: (await newAccount()).apikey });
    expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });
});

describe("a batch of tRPC", () => {
  const batched = (key: string) =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: `${inject("productUrl")}/api/trpc`, headers: { authorization: `Bearer ${key}` } })],
    });

  test("may have 10 calls", async () => {
    const { apikey, account_id } = await newAccount();
    const client = batched(apikey);
    const answers = await times(10, () => client.accounts.me.query());
    expect(answers.map((answer) => answer.account_id)).toEqual(Array(10).fill(account_id));
  });

  test("of more is 400, and none of its calls is made", async () => {
    const account = await newAccount();
    const client = batched(account.apikey);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 11 }, (_, i) => client.groups.create.mutate({ name: `group ${i}` })),
    );
    for (const outcome of outcomes) {
      const error = outcome.status === "rejected" ? outcome.reason : undefined;
      expect(error).toBeInstanceOf(TRPCClientError);
      expect([error.data.httpStatus, error.message]).toEqual([400, "a batch may have at most 10 calls"]);
    }
    expect((await call("GET", "/v1/apikey_groups", { key: account.apikey })).body.data).toEqual([]);
  });
});

describe("with ACCOUNT_CONCURRENCY=1 and RATE_LIMIT_PER_MINUTE", () => {
  const { db, url, send, account } = startedWith({ ACCOUNT_CONCURRENCY: "1", RATE_LIMIT_PER_MINUTE: String(RATE) });

  test("a second request is 429 after a second in which the first one does not end; what is shared goes on", async () => {
    const [busy, other] = [await account(), await account()];
    const created = await send("POST", "/v1/apikeys", busy, { name: "locked" });
    const id = created.body.apikey.slice(0, 10);
    const spender = (await send("POST", "/v1/apikeys", busy, { name: "spender" })).body.apikey;
    const lock = await db().pool.connect();
    try {
      await lock.query("BEGIN");
      await lock.query("SELECT 1 FROM api_key WHERE account_id = $1 AND id = $2 FOR UPDATE", [busy.account_id, id]);
      const first = send("POST", `/v1/apikeys/${id}/rename`, busy, { name: "renamed" });
      await expect
        .poll(async () => {
          const { rows } = await db().pool.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
          return rows.length;
        })
        .toBe(1);

      const second = await send("GET", "/v1/apikey_groups", busy);
      expect([second.status, second.body, second.headers.get("retry-after")]).toEqual([
        429,
        { success: false, error: TOO_MANY_AT_ONCE },
        "1",
      ]);
      const overTrpc = await send("GET", "/api/trpc/accounts.me", busy);
      expect([overTrpc.status, overTrpc.body.error, overTrpc.headers.get("retry-after")]).toEqual([
        429,
        expect.objectContaining({
          message: TOO_MANY_AT_ONCE,
          data: expect.objectContaining({
            httpStatus: 429,
            failure: { code: "too_many_at_once", values: { seconds: 1 } },
          }),
        }),
        "1",
      ]);

      expect((await send("GET", "/v1/apikey_groups", other)).status).toBe(200);
      const held = await send("POST", "/v1/authorizations", busy, { apikey: spender, amount: 1 });
      expect([held.status, held.body.allowed]).toEqual([200, true]);
      const capture = `/v1/authorizations/${held.body.authorization_id}/capture`;
      expect((await send("POST", capture, busy, { amount: 1 })).status).toBe(200);
      expect((await send("POST", "/v1/authorizations/check", busy, { apikey: spender, amount: 1 })).status).toBe(200);
      expect((await send("POST", "/v1/apikeys", busy, { name: "another" })).status).toBe(201);

      await lock.query("COMMIT");
      expect((await first).status).toBe(200);
      expect((await send("GET", "/v1/apikey_groups", busy)).status).toBe(200);
    } finally {
      lock.release(true);
    }
  });

  test("a key has so many requests in a minute, says how many are left, and is 429 then", async () => {
    const [busy, other] = [await account(), await account()];
    const answers: Answer[] = [];
    // A minute may end meanwhile, but not twice.
    while (answers.length <= 2 * RATE && answers.at(-1)?.status !== 429) {
      answers.push(await send("GET", "/v1/account", busy));
    }
    const [refused, last] = [answers.at(-1), answers.at(-2)];
    const rate = ({ headers }: Answer) =>
      ["limit", "remaining", "reset"].map((name) => Number(headers.get(`ratelimit-${name}`)));
    for (const answer of answers) expect(rate(answer)[0]).toBe(RATE);
    expect([last?.status, last && rate(last)[1]]).toEqual([200, 0]);
    const seconds = Number(refused?.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused && [refused.status, refused.body, rate(refused)]).toEqual([
      429,
      {
        success: false,
        error: `too many requests with this key; try again in ${seconds} second${seconds === 1 ? "" : "s"}`,
      },
      [RATE, 0, seconds],
    ]);
    const overTrpc = await send("GET", "/api/trpc/accounts.me", busy);
    expect([overTrpc.status, overTrpc.body.error.data.failure.code, rate(overTrpc).slice(0, 2)]).toEqual([
      429,
      "rate_exceeded",
      [RATE, 0],
    ]);
    expect(overTrpc.headers.get("retry-after")).toBe(overTrpc.headers.get("ratelimit-reset"));
    expect((await send("GET", "/v1/account", other)).status).toBe(200);
  });

  test("each decision on spend counts, however soon the next one comes", async () => {
    const { apikey } = await account();
    const client = new FastClient();
    const left: number[] = [];
    for (let i = 0; i < 4; i++) {
      const check = { body: { apikey, amount: 1 } };
      const { headers } = await client.send(url(), "POST", "/v1/authorizations/check", apikey, check);
      left.push(Number(headers["ratelimit-remaining"]));
    }
    client.close();
    // One less each time, but where the next minute begins.
    const steps = left.slice(1).map((now, i) => (now === (left[i] ?? 0) - 1 ? "less" : now));
    expect(steps.filter((step) => step !== "less" && step !== RATE - 1)).toEqual([]);
    expect(steps.filter((step) => step === "less").length).toBeGreaterThanOrEqual(2);
  });
});

describe("of the lists of one account", () => {
  /** How many are read at once: docs/decisions/fairness.md. */
  const AT_ONCE = Math.max(2, Math.floor(availableParallelism() / 2));
  // None of them is refused because of others that stand still.
  const { db, send, account } = startedWith({ ACCOUNT_CONCURRENCY: String(AT_ONCE + 4) });

  test("a few are read at once, also over REST; the others wait, and calls of gateways do not", async () => {
    const lock = await db().pool.connect();
    try {
      const [owner, other] = [await account(), await account()];
      // The upkeep of the process may wait for the table too.
      const countReads = async () => {
        const { rows } = await db().pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%recent AS MATERIALIZED%'",
        );
        return rows.length;
      };
      await lock.query("BEGIN");
      await lock.query("LOCK TABLE refusal_day IN ACCESS EXCLUSIVE MODE");
      const path = "/v1/refusals?from=2026-11-01&to=2026-11-01";
      const lists = times(AT_ONCE + 4, () => send("GET", path, owner));
      await expect.poll(countReads).toBe(AT_ONCE);
      // The lists arrived before this.
      const asked = { apikey_hash: "0".repeat(64), amount: 1 };
      expect((await send("POST", "/v1/authorizations/check", owner, asked)).status).toBe(200);
      expect(await countReads()).toBe(AT_ONCE);
      const ofOther = send("GET", path, other);
      await expect.poll(countReads).toBe(AT_ONCE + 1);
      await lock.query("COMMIT");
      expect((await Promise.all([lists, ofOther])).flat().map(({ status }) => status)).toEqual(
        Array(AT_ONCE + 5).fill(200),
      );
    } finally {
      lock.release(true);
    }
  });
});
