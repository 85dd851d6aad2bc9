import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { database } from "./database";

/** A database on the PostgreSQL of the tests. */
export interface NewDatabase {
  name: string;
  url: string;
  remove(): Promise<void>;
}

/** @param template the name of the database that is copied. Without it the new one is empty. */
export async function newDatabase(template = "template0"): Promise<NewDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8'`);
  return {
    name,
    url: urlOfDatabase(name),
    remove: async () => {
      await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The address of a database on the PostgreSQL of the tests. */
export function urlOfDatabase(name: string): string {
  return inject("databaseUrl").replace(/[^/]*$/, name);
}
