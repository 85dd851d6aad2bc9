import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { canKeepStatements, type PgBouncer, startPgBouncer, withoutPgBouncer } from "../pgbouncer";
import { complaintsIn, type Product, runToEnd, startProduct, temporaryFolder } from "../product";
import { callAt, database } from "./client";

const reason = withoutPgBouncer();
if (reason) console.log(`the tests of poolers are skipped: ${reason}`);

const keepsStatements = reason === undefined && canKeepStatements();
if (!reason && !keepsStatements) console.log("PgBouncer is older than 1.21: its prepared statements are not tested");

describe.skipIf(reason)("PgBouncer", () => {
  const closers: (() => Promise<unknown>)[] = [];
  let inSession: PgBouncer;
  let inTransaction: PgBouncer;
  let withStatements: PgBouncer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    closers.push(folder.remove);
    inSession = await startPgBouncer(inject("databaseUrl"), "session");
    inTransaction = await startPgBouncer(inject("databaseUrl"), "transaction");
    withStatements = await startPgBouncer(inject("databaseUrl"), "transaction", 200);
    closers.push(inSession.stop, inTransaction.stop, withStatements.stop);
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  async function start(url: string, env: Record<string, string> = {}): Promise<Product> {
    const product = await startProduct({ env: { DATABASE_URL: url, DATA_DIR: folder.path, ...env } });
    closers.push(product.stop);
    return product;
  }

  const readiness = async ({ url }: Product) => (await fetch(`${url}/readyz`)).json();

  test("in transaction mode without prepared statements: not ready, with what to set, and every request is 503", async () => {
    const product = await start(inTransaction.url);
    expect(await readiness(product)).toEqual({
      status: "not ready",
      cause: "pooler",
      message: expect.stringMatching(/max_prepared_statements.*pool_mode.*PREPARED_STATEMENTS=off/),
    });
    await expect.poll(product.output).toContain('"cause":"pooler"');
    const key = `sk-${"a".repeat(48)}`;
    expect((await callAt(product.url, "POST", "/v1/authorizations", { key })).status).not.toBe(500);
    expect(await product.stop()).toBe(0);
  });

  test.for([
    ["session mode", () => inSession.url, {}, true],
    ["transaction mode with PREPARED_STATEMENTS=off", () => inTransaction.url, { PREPARED_STATEMENTS: "off" }, true],
    ["transaction mode with max_prepared_statements", () => withStatements.url, {}, keepsStatements],
  ] as const)("in %s: everything works", async ([, url, env, isPossible], { skip }) => {
    skip(!isPossible, "PgBouncer is older than 1.21");
    const product = await start(url(), env);
    await expect.poll(() => readiness(product)).toEqual({ status: "ready" });
    const { stdout } = await runToEnd("account-create", ["--email", `${Date.now()}@example.com`], {
      env: { DATABASE_URL: url(), DATA_DIR: folder.path, ...env },
    });
    const { apikey: owner } = JSON.parse(stdout);
    const call = (method: "GET" | "POST", path: string, body?: object) =>
      callAt(product.url, method, path, { key: owner, ...(body && { body }) });
    const made = await Promise.all(
      Array.from({ length: 8 }, () => call("POST", "/v1/apikeys", { name: "n", budget: 100 })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const answers = await Promise.all(
      made.flatMap(({ body }) =>
        Array.from({ length: 5 }, () => call("POST", "/v1/authorizations", { apikey: body.apikey, amount: 30 })),
      ),
    );
    // 3 × 30 fit into 100.
    expect(answers.filter(({ body }) => body.allowed)).toHaveLength(24);
    const granted = answers.find(({ body }) => body.allowed)?.body;
    const captured = await call("POST", `/v1/authorizations/${granted.authorization_id}/capture`, { amount: 20 });
    expect(captured.status).toBe(200);
    expect((await call("GET", "/v1/apikeys")).body.data).toHaveLength(9);
    expect((await call("GET", "/v1/history")).body.data.length).toBeGreaterThan(7);
    expect(product.output()).not.toMatch(/"status":5/);
    expect(complaintsIn(product.output(), 50)).toEqual([]);
    expect(await product.stop()).toBe(0);
  });

  test("a restore is refused while the pooler keeps connections of a server that has stopped, and says so", async () => {
    await database.pool.query("CREATE DATABASE pooled ENCODING 'UTF8' TEMPLATE template0");
    const direct = Object.assign(new URL(inject("databaseUrl")), { pathname: "/pooled" }).href;
    const pooler = await startPgBouncer(direct, "transaction");
    const env = { DATABASE_URL: pooler.url, DATA_DIR: folder.path, PREPARED_STATEMENTS: "off" };
    const file = join(folder.path, "pooled.backup");
    try {
      const migrated = await runToEnd("migrate", [], { env: { ...env, DATABASE_URL: direct } });
      expect(migrated.code).toBe(0);
      expect((await runToEnd("backup", [file], { env: { ...env, DATABASE_URL: direct } })).code).toBe(0);
      // Transactions at the same moment, as those of a server, so that the pooler has a connection for each.
      const clients = Array.from({ length: 5 }, () => {
        return new Client({ connectionString: pooler.url, application_name: "allowance" });
      });
      for (const client of clients) await client.connect().then(() => client.query("BEGIN"));
      for (const client of clients) await client.query("COMMIT").then(() => client.end());
      const refused = await runToEnd("restore", [file], { env });
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(
          "keeps connections of a stopped one: give the address of PostgreSQL itself, or wait. Nothing",
        ),
      ]);
      await pooler.stop();
      expect((await runToEnd("restore", [file], { env: { ...env, DATABASE_URL: direct } })).code).toBe(0);
    } finally {
      await pooler.stop();
      await database.pool.query("DROP DATABASE pooled WITH (FORCE)");
    }
  });
});
