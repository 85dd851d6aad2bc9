import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase } from "../db/client";
import { migrate } from "../db/migrate";
import { database } from "./database";

/** A database with every migration and no account. The first test that wants a copy makes it. */
const TEMPLATE = "migrated";
const TEMPLATE_LOCK = 1;

const urlOf = (name: string) => inject("databaseUrl").replace(/[^/]*$/, name);

export interface OwnDatabase {
  db: Database;
  url: string;
  remove(): Promise<void>;
}

/** A database for one file of tests, or for one test, whose rows and statistics no other test changes. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const name = `own_${randomBytes(6).toString("hex")}`;
  await copyTemplate(name);
  const url = urlOf(name);
  const db = openDatabase(url);
  return {
    db,
    url,
    remove: async () => {
      await db.close();
      await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Copies are made one after another, because PostgreSQL copies only a database in which nobody is. */
async function copyTemplate(name: string): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [TEMPLATE]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'`);
      await migrate(urlOf(TEMPLATE));
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
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
