import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { complaintsIn, type Product, runToEnd, startProduct } from "../product";
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
    ]) {
      await admin.query(`ALTER DATABASE ${NAME} SET ${setting}`);
    }
    const env = { DATABASE_URL: url };
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
});
