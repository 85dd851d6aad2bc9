import { randomBytes } from "node:crypto";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { temporaryFolder } from "@/e2e/product";
import { database } from "../testing/database";
import { migrate } from "./migrate";

const MIGRATION = "20261126130000_key_columns";
const ACCOUNT = "0123456789abcdef01234567";

let name: string;
let url: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let pool: Pool;

/** A database with the migrations before this one, and a role that may use some of it. */
beforeEach(async () => {
  name = `key_columns_${randomBytes(6).toString("hex")}`;
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  url = inject("databaseUrl").replace(/[^/]*$/, name);
  pool = new Pool({ connectionString: url });
  pool.on("error", () => {});
  folder = await temporaryFolder();
  for (const migration of await readdir("prisma/migrations")) {
    if (migration < MIGRATION) await copyMigration(migration);
  }
  await migrate(url, folder.path);
  await pool.query(`CREATE ROLE ${name}`);
  await pool.query(`GRANT SELECT, UPDATE ON api_key TO ${name}; GRANT SELECT ON key_secret TO ${name}`);
  await pool.query("INSERT INTO account (id, email) VALUES ($1, 'a@example.com')", [ACCOUNT]);
});
afterEach(async () => {
  await pool.end();
  await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await database.pool.query(`DROP ROLE ${name}`);
  await folder.remove();
});

function copyMigration(migration: string): Promise<void> {
  return cp(join("prisma/migrations", migration), join(folder.path, migration), { recursive: true });
}

async function orderOfColumns(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'api_key'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
  );
  return rows.map(({ name }) => name);
}

/** What the database defines about keys, without the order of their columns. */
async function definitions(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT 'column' AS kind, concat_ws(' ', attname, format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attgenerated,
          attstorage, pg_get_expr(adbin, adrelid)) AS what
        FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = 'api_key'::regclass AND attnum > 0
      UNION ALL SELECT 'constraint', concat_ws(' ', conname, convalidated, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE conrelid = 'api_key'::regclass
      UNION ALL SELECT 'index', concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) FROM pg_index WHERE indrelid = 'api_key'::regclass
      UNION ALL SELECT 'trigger', concat_ws(' ', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger
        WHERE tgrelid IN ('api_key'::regclass, 'key_secret'::regclass) AND NOT tgisinternal
      UNION ALL SELECT 'table', concat_ws(' ', relname, relowner, reloptions, privilege)
        FROM pg_class LEFT JOIN LATERAL (
          SELECT given.grantee::regrole || ' ' || given.privilege_type AS privilege FROM aclexplode(relacl) AS given
        ) AS privileges ON true WHERE oid IN ('api_key'::regclass, 'key_secret'::regclass)
      UNION ALL SELECT 'view', pg_get_viewdef('key_secret'::regclass)
      ORDER BY 1, 2`,
  );
  return rows;
}

test("the columns of lists come first in a table without keys, and nothing else about it changes", async () => {
  const before = await definitions();
  await copyMigration(MIGRATION);
  expect(await migrate(url, folder.path)).toEqual([MIGRATION]);
  expect(await definitions()).toEqual(before);
  expect((await orderOfColumns()).slice(0, 5)).toEqual(["account_id", "id", "revoked_at", "spent", "last_used_at"]);
});

test("a table with a key stays as it is, because nobody could use it meanwhile", async () => {
  await pool.query("INSERT INTO api_key (account_id, id, name) VALUES ($1, 'sk-0000001', 'a key')", [ACCOUNT]);
  const before = await orderOfColumns();
  await copyMigration(MIGRATION);
  await migrate(url, folder.path);
  expect(await orderOfColumns()).toEqual(before);
  const { rows } = await pool.query("SELECT name FROM api_key");
  expect(rows).toEqual([{ name: "a key" }]);
});
