import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../db/migrate";
import { newDatabase } from "../testing/new-database";
import { backUp } from "./backup";
import { restore } from "./restore";
import { listTables } from "./tables";

const ACCOUNT = "a".repeat(24);
const GROUP = "b".repeat(24);

// The databases end with the PostgreSQL of the tests. To drop each takes longer than the tests.
let folder: string;
const clients = new Set<Client>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "allowance-backup-"));
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await rm(folder, { recursive: true });
});

async function connectedDatabase(template?: string): Promise<{ url: string; client: Client }> {
  const { url } = await newDatabase(template);
  const client = new Client({ connectionString: url });
  clients.add(client);
  await client.connect();
  return { url, client };
}

/** There are two connections for each version, and PostgreSQL allows only so many at once. */
async function close(client: Client): Promise<void> {
  clients.delete(client);
  await client.end();
}

/** What the database defines beside rows: columns, indexes, constraints, triggers and functions. */
async function definitions(client: Client): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT attrelid::regclass::text AS of, attname || ' ' || format_type(atttypid, atttypmod) AS what
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
      UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
      UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT 'function', proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      ORDER BY 1, 2`,
  );
  return rows;
}

test("each older version can be restored, and the database is then that of this version", async () => {
  const migrations = (await readdir("prisma/migrations")).sort();
  const current = await connectedDatabase();
  await migrate(current.url);
  const wanted = await definitions(current.client);
  // To copy a database takes less than to apply all migrations to a new one. Nobody may be connected to it meanwhile.
  const empty = await newDatabase();
  const some = join(folder, "some");
  await mkdir(some);
  for (let count = 1; count <= migrations.length; count++) {
    const newest = migrations[count - 1] as string;
    await cp(`prisma/migrations/${newest}`, join(some, newest), { recursive: true });
    await migrate(empty.url, some);
    const old = await connectedDatabase(empty.name);
    await old.client.query(`INSERT INTO account (id, email) VALUES ('${ACCOUNT}', 'old@example.com')`);
    await old.client.query(
      `INSERT INTO api_key_group (account_id, id, name) VALUES ('${ACCOUNT}', '${GROUP}', 'a group')`,
    );
    await old.client.query(
      `INSERT INTO api_key (account_id, id, name, is_default, group_id)
        VALUES ('${ACCOUNT}', 'sk-0000001', 'default', true, NULL), ('${ACCOUNT}', 'sk-0000002', 'of it', false, '${GROUP}')`,
    );
    const file = join(folder, `${count}.backup`);
    const written = await backUp(old.client, file, null);
    const { client } = await connectedDatabase();
    const { rows, header } = await restore(client, file, false);
    expect([rows, header.migrations.map(({ name }) => name)]).toEqual([written, migrations.slice(0, count)]);
    const { rows: keys } = await client.query("SELECT id, group_id FROM api_key ORDER BY id");
    expect(keys).toEqual([
      { id: "sk-0000001", group_id: null },
      { id: "sk-0000002", group_id: GROUP },
    ]);
    expect(await definitions(client)).toEqual(wanted);
    await Promise.all([old.client, client].map(close));
  }
});

test("tables come after those that their foreign keys point to", async () => {
  const { url, client } = await connectedDatabase();
  await migrate(url);
  const order = (await listTables(client)).map(({ table }) => table);
  const place = (table: string) => order.indexOf(table);
  expect(place("account")).toBeLessThan(place("api_key_group"));
  expect(place("api_key_group")).toBeLessThan(place("api_key"));
});

test("a backup of a newer version is refused", async () => {
  const { url, client } = await connectedDatabase();
  await migrate(url);
  await client.query(
    "UPDATE _prisma_migrations SET migration_name = '99990101000000_later' WHERE migration_name LIKE '%_spend'",
  );
  const file = join(folder, "newer.backup");
  await backUp(client, file, null);
  const target = await connectedDatabase();
  await expect(restore(target.client, file, false)).rejects.toThrow(
    "the backup is of a newer version: this one does not know the migration 99990101000000_later",
  );
  expect(await definitions(target.client)).toEqual([]);
});
