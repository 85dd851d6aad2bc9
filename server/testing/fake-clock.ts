import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase } from "../db/client";

/**
 * A database with a clock that stands still until it is set. Its connections find a function `now()` in another schema
 * before they find PostgreSQL's. The statements of the product run unchanged. Other connections see the real time.
 */
export interface FakeClock {
  /** Opens a pool that sees this clock. */
  open(): Database;
  /** A text may have microseconds. */
  set(time: Date | string): Promise<void>;
}

/** Makes such a clock in the database that all integration tests share. */
export async function makeFakeClock({ pool }: Database): Promise<FakeClock> {
  const schema = `clock_${randomBytes(6).toString("hex")}`;
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query(`CREATE TABLE ${schema}.clock AS SELECT pg_catalog.now() AS time`);
  await pool.query(
    `CREATE FUNCTION ${schema}.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT time FROM ${schema}.clock'`,
  );
  const url = new URL(inject("databaseUrl"));
  url.searchParams.set("options", `-c search_path=${schema},pg_catalog,public`);
  return {
    open: () => openDatabase(url.href),
    set: async (time) => {
      await pool.query(`UPDATE ${schema}.clock SET time = $1`, [time]);
    },
  };
}
