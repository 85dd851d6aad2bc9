import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase } from "../db/client";
import { migrate } from "../db/migrate";
import { database } from "./database";

/** A database for one file of tests, whose rows and statistics no other test changes. */
export async function openOwnDatabase(): Promise<{ db: Database; remove(): Promise<void> }> {
  const name = `own_${randomBytes(6).toString("hex")}`;
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = inject("databaseUrl").replace(/[^/]*$/, name);
  await migrate(url);
  const db = openDatabase(url);
  return {
    db,
    remove: async () => {
      await db.close();
      await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Where the state of the statistics is what is tested, nothing but the test may change it. */
export async function keepStatistics({ pool }: Pick<Database, "pool">): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const { name } of tables) await pool.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
}
