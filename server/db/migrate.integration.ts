import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "@/e2e/product";
import { database } from "../testing/database";
import { type NewDatabase, newDatabase } from "../testing/new-database";
import { migrate } from "./migrate";

const FIRST = "20261121000000_accounts_keys_groups";

let empty: NewDatabase;
let url: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** An empty database of its own, and a copy of the migrations. */
beforeEach(async () => {
  empty = await newDatabase();
  ({ url } = empty);
  folder = await temporaryFolder();
  await cp("prisma/migrations", folder.path, { recursive: true });
});
afterEach(async () => {
  await empty.remove();
  await folder.remove();
});

async function query(text: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function addMigration(sql: string) {
  await mkdir(join(folder.path, "99990101000000_next"));
  await writeFile(join(folder.path, "99990101000000_next/migration.sql"), sql);
}

test("an empty database gets them all, once, recorded as Prisma records them", async () => {
  expect(await migrate(url, folder.path)).toContain(FIRST);
  expect(await migrate(url, folder.path)).toEqual([]);
  const [row] = await query(`SELECT * FROM _prisma_migrations WHERE migration_name = '${FIRST}'`);
  expect(row).toMatchObject({
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    applied_steps_count: 1,
    rolled_back_at: null,
  });
  expect(row.finished_at).toBeInstanceOf(Date);
});

test("eight processes at once apply each one once", async () => {
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(url, folder.path)));
  expect(applied.filter((names) => names.includes(FIRST))).toHaveLength(1);
});

test("a function body in dollar quotes is one statement", async () => {
  await addMigration("CREATE FUNCTION two() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 2; END; $$;");
  await migrate(url, folder.path);
  expect(await query("SELECT two()")).toEqual([{ two: 2 }]);
});

test("one that fails is named, and leaves nothing behind", async () => {
  await addMigration("CREATE TABLE half (id int); SELECT 1 / 0;");
  await expect(migrate(url, folder.path)).rejects.toThrow("the migration 99990101000000_next failed: division by zero");
  expect(await query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'")).toEqual([
    { tables: 0 },
  ]);
});

test("an applied one that was edited is refused by name", async () => {
  await migrate(url, folder.path);
  await appendFile(join(folder.path, FIRST, "migration.sql"), "\n-- edited");
  await expect(migrate(url, folder.path)).rejects.toThrow(
    `the migration ${FIRST} was edited after it had been applied`,
  );
});

test("an applied one that is missing here is refused by name", async () => {
  await addMigration("CREATE TABLE later (id int)");
  await migrate(url, folder.path);
  await rm(join(folder.path, "99990101000000_next"), { recursive: true });
  await expect(migrate(url, folder.path)).rejects.toThrow(
    "the database has the migration 99990101000000_next, which this version does not know",
  );
});

test("a database that is not UTF-8 is refused", async () => {
  await database.pool.query(`DROP DATABASE ${empty.name}`);
  await database.pool.query(`CREATE DATABASE ${empty.name} TEMPLATE template0 ENCODING 'SQL_ASCII'`);
  await expect(migrate(url, folder.path)).rejects.toThrow("the database must be encoded in UTF8, it is in SQL_ASCII");
});

test("the newest migration keeps the schema that it leads to", async () => {
  const newest = (await readdir("prisma/migrations")).sort().at(-1) ?? "";
  expect(await readFile(join("prisma/migrations", newest, "schema.prisma"), "utf8")).toBe(
    await readFile("prisma/schema.prisma", "utf8"),
  );
});
