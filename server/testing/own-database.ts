import { type Database, openDatabase } from "../db/client";
import { migrate } from "../db/migrate";
import { database } from "./database";
import { type NewDatabase, newDatabase, urlOfDatabase } from "./new-database";

/** A database with every migration and no account. The first test that wants a copy makes it. */
const TEMPLATE = "migrated";
const TEMPLATE_LOCK = 1;

export interface OwnDatabase extends NewDatabase {
  db: Database;
}

/** A database for one file of tests, or for one test, whose rows and statistics no other test changes. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const copy = await copyTemplate();
  const db = openDatabase(copy.url);
  return {
    ...copy,
    db,
    remove: async () => {
      await db.close();
      await copy.remove();
    },
  };
}

/** Copies are made one after another, because PostgreSQL copies only a database that nobody is connected to. */
async function copyTemplate(): Promise<NewDatabase> {
  const client = await database.pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [TEMPLATE]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'`);
      await migrate(urlOfDatabase(TEMPLATE));
    }
    return await newDatabase(TEMPLATE);
  } finally {
    // The lock ends with the connection.
    client.release(true);
  }
}

/** Such a database, which only the test analyses. So PostgreSQL believes of the tables what the test has it believe. */
export async function openUnanalyzedDatabase(): Promise<OwnDatabase> {
  const own = await openOwnDatabase();
  const { rows: tables } = await own.db.pool.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const { name } of tables) await own.db.pool.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  return own;
}
