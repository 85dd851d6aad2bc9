import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { runToEnd, startProduct } from "../product";

const NAME = "set_up_link";
/** That of `setUpToken`. */
const SET_UP_LOCK = 7_260_006;
const url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${NAME}` }).href;
let admin: Client;
let other: Client;

beforeAll(async () => {
  admin = new Client({ connectionString: inject("databaseUrl") });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${NAME}`);
  await admin.query(`CREATE DATABASE ${NAME}`);
  expect((await runToEnd("migrate", [], { env: { DATABASE_URL: url } })).code).toBe(0);
  other = new Client({ connectionString: url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await admin.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
  await admin.end();
});

test("the link is printed when the database is away at the moment at which it is made", async () => {
  await other.query("SELECT pg_advisory_lock($1)", [SET_UP_LOCK]);
  const starting = startProduct({ env: { DATABASE_URL: url } });
  const waiting = async () =>
    (await admin.query("SELECT pid FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'advisory'", [NAME])).rows;
  await expect.poll(waiting).toHaveLength(1);
  const [{ pid }] = await waiting();
  await admin.query("SELECT pg_terminate_backend($1::int)", [pid]);
  await other.query("SELECT pg_advisory_unlock($1)", [SET_UP_LOCK]);
  const product = await starting;
  await expect.poll(product.output).toMatch(/\/set-up\?token=[\w-]{43}\n/);
  expect(await product.stop()).toBe(0);
});
