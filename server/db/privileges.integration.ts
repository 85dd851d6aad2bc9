import { afterAll, expect, inject, test } from "vitest";
import { maintainPartitions } from "../authorizations/ledger";
import { database } from "../testing/database";
import { openDatabase } from "./client";
import { passwordOf } from "./roles";
import { analyzeGrown } from "./statistics";

/** The shared database as the role that serves. Other tests write as the superuser. */
const address = new URL(inject("databaseUrl"));
const username = "allowance_service";
const password = passwordOf(username, address.password);
const service = openDatabase(Object.assign(new URL(address), { username, password }).href);
afterAll(() => service.close());

test("the role that serves keeps the partitions of the ledger, and owns none of them", async () => {
  await database.pool.query(`
    CREATE TABLE ledger_20200101 PARTITION OF ledger FOR VALUES FROM ('2020-01-01') TO ('2020-01-02');
    ALTER TABLE ledger_20200101 OWNER TO allowance_owner`);
  await maintainPartitions(service, 31);
  await service.pool.query("SELECT empty_ledger_other(31)");
  const { rows } = await database.pool.query<{ name: string; owner: string }>(
    `SELECT relname AS name, pg_get_userbyid(relowner) AS owner FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
      WHERE inhparent = 'ledger'::regclass`,
  );
  expect(rows.map(({ name }) => name)).not.toContain("ledger_20200101");
  expect(rows.length).toBeGreaterThanOrEqual(8);
  expect(rows.filter(({ owner }) => owner !== "allowance_owner")).toEqual([]);
});

test("the role that serves may analyse every table but the history of migrations", async () => {
  await analyzeGrown(service.pool);
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND NOT has_table_privilege('allowance_service', oid, 'MAINTAIN')`,
  );
  expect(rows).toEqual([{ name: "_prisma_migrations" }]);
});
