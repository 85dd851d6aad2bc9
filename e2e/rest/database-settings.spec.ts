import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { complaintsIn, type Product, runToEnd, SHARED_SECRET, startProduct, temporaryFolder } from "../product";
import { callAt } from "./client";

// A PostgreSQL of the operator may be set to something else than what PostgreSQL comes with.

const NAME = "other_settings";
const url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${NAME}` }).href;
let admin: Client;
beforeAll(async () => {
  admin = new Client({ connectionString: inject("databaseUrl") });
  await admin.connect();
});
afterAll(() => admin.end());

describe("a database with other settings", () => {
  let product: Product;
  let key: string;
  beforeAll(async () => {
    await admin.query(`CREATE DATABASE ${NAME} ENCODING 'UTF8' TEMPLATE template0`);
    for (const setting of [
      "datestyle = 'German, DMY'",
      "extra_float_digits = 0",
      "default_transaction_isolation = 'serializable'",
      "array_nulls = off",
    ]) {
      await admin.query(`ALTER DATABASE ${NAME} SET ${setting}`);
    }
    const env = { DATABASE_URL: url };
    const migrating = await Promise.all([runToEnd("migrate", [], { env }), runToEnd("migrate", [], { env })]);
    expect(migrating.map(({ stderr }) => stderr)).toEqual(["", ""]);
    const { stdout } = await runToEnd("account-create", ["--email", "owner@example.com"], { env });
    key = JSON.parse(stdout).apikey;
    product = await startProduct({ env });
  });
  afterAll(async () => {
    await product?.stop();
    await admin.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
  });

  const call = (method: string, path: string, body?: object) => callAt(product.url, method, path, { key, body });
  const createKey = async (): Promise<string> => {
    const group = (await call("POST", "/v1/apikey_groups", { name: `g ${Date.now()}` })).body;
    const created = await call("POST", "/v1/apikeys", { name: "k", group_id: group.group_id });
    return created.body.apikey.slice(0, 10);
  };

  test("is migrated once, and answers days in ISO 8601 and amounts with all their digits", async () => {
    const id = await createKey();
    const limits = { budget: 1234567.123456789, expiry_date: "2031-05-06" };
    expect((await call("POST", `/v1/apikeys/${id}/budget`, limits)).status).toBe(200);
    expect((await call("GET", `/v1/apikeys/${id}`)).body).toMatchObject(limits);
    expect((await call("GET", "/v1/overview")).body.today).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(complaintsIn(product.output(), 50)).toEqual([]);
  });

  test("takes changes of one key at the same moment", async () => {
    const path = `/v1/apikeys/${await createKey()}/budget`;
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => call("POST", path, { budget: i + 1 })));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test("takes limits and prices that are not set", async () => {
    const { body: created } = await call("POST", "/v1/apikeys", { name: "k" });
    expect(created).toMatchObject({ success: true });
    const authorized = await call("POST", "/v1/authorizations", { apikey: created.apikey, amount: 2 });
    expect(authorized).toMatchObject({ status: 200, body: { allowed: true } });
    const { authorization_id: id } = authorized.body;
    expect((await call("POST", `/v1/authorizations/${id}/capture`, { amount: 1 })).status).toBe(200);
  });
});

describe("a database that only reads", () => {
  const env = { DATABASE_URL: url };
  beforeAll(async () => {
    await admin.query(`CREATE DATABASE ${NAME} ENCODING 'UTF8' TEMPLATE template0`);
    expect(await runToEnd("account-create", ["--email", "owner@example.com"], { env })).toMatchObject({ code: 0 });
    await admin.query(`ALTER DATABASE ${NAME} SET default_transaction_read_only = on`);
  });
  afterAll(() => admin.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`));

  test.each([
    ["account-list", "owner@example.com"],
    ["gateway-list", ""],
    ["models-list", ""],
    ["models-history", ""],
    ["migrate", '{"applied":[],'],
  ])("%s, which changes nothing, works", async (name, part) => {
    const { code, stdout, stderr } = await runToEnd(name, [], { env });
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining(part)]);
  });

  test("a change says so", async () => {
    expect(await runToEnd("account-disable", ["owner@example.com"], { env })).toEqual({
      code: 1,
      stdout: "",
      stderr: "the database only reads: it is a standby, or was made read-only; nothing was changed\n",
    });
  });
});

describe("a database that is made read-only, and writable again", () => {
  let product: Product;
  let key: string;
  beforeAll(async () => {
    await admin.query(`CREATE DATABASE ${NAME} ENCODING 'UTF8' TEMPLATE template0`);
    const env = { DATABASE_URL: url };
    const { stdout } = await runToEnd("account-create", ["--email", "owner@example.com"], { env });
    key = JSON.parse(stdout).apikey;
    product = await startProduct({ env });
  });
  afterAll(async () => {
    await product?.stop();
    await admin.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
  });

  const readiness = async () => (await fetch(`${product.url}/readyz`)).status;
  const create = () => callAt(product.url, "POST", "/v1/apikeys", { key, body: { name: "k" } });

  test("is written to again, although connections keep the setting that they began with", async () => {
    await admin.query(`ALTER DATABASE ${NAME} SET default_transaction_read_only = on`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [NAME]);
    await expect.poll(readiness).toBe(503);
    const refused = await Promise.all(Array.from({ length: 8 }, create));
    expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(500));
    const read = await Promise.all(Array.from({ length: 8 }, () => callAt(product.url, "GET", "/v1/account", { key })));
    expect(read.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await admin.query(`ALTER DATABASE ${NAME} RESET default_transaction_read_only`);
    await expect.poll(readiness).toBe(200);
    // A call at the very moment may still meet a connection that is ended.
    await expect.poll(async () => (await create()).body).toMatchObject({ success: true });
  });
});

describe("a role that finds another schema before public", () => {
  const ROLE = "own_schema";
  const env = {
    DATABASE_URL: Object.assign(new URL(url), { username: ROLE, password: "x" }).href,
    AUTH_SECRET: SHARED_SECRET,
  };
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    await admin.query(`CREATE DATABASE ${NAME} ENCODING 'UTF8' TEMPLATE template0`);
    await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'x'`);
    await admin.query(`GRANT CREATE ON DATABASE ${NAME} TO ${ROLE}`);
    const there = new Client({ connectionString: url });
    await there.connect();
    await there.query(`CREATE SCHEMA ${ROLE} AUTHORIZATION ${ROLE}`);
    await there.end();
    folder = await temporaryFolder();
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${ROLE}`);
    await folder?.remove();
  });

  const fault = `the role ${ROLE} works in the schema ${ROLE}, and the tables must be in public`;
  test.each(["migrate", "account-list", "backup"])("%s says so, and makes nothing", async (command) => {
    const words = command === "backup" ? [join(folder.path, "no.backup")] : [];
    const { code, stdout, stderr } = await runToEnd(command, words, { env });
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(fault)]);
  });

  test("the server does not start", async () => {
    await expect(startProduct({ env })).rejects.toThrow(`${fault}; put public first into its search_path`);
  });

  test("the doctor says so", async () => {
    const { code, stdout } = await runToEnd("doctor", [], { env });
    expect(code).toBe(1);
    expect(stdout).toContain(JSON.stringify({ check: "rights", state: "failed", found: fault }).slice(0, -1));
  });
});
