import type { ClientBase, Pool } from "pg";
import { LOCKS } from "./advisory-locks";
import { inTransaction } from "./transaction";

interface Table {
  /** With its schema, quoted. */
  name: string;
}

/**
 * Refreshes the statistics of the tables that have at least doubled since PostgreSQL last looked at them, one table at a
 * time. PostgreSQL does this by itself, but only once a minute or later, and an operator may have turned it off. Where
 * another process does it already, this does nothing.
 */
export async function analyzeGrown(pool: Pool): Promise<void> {
  const { rows } = await pool.query<Table>(`${TABLES}
    WHERE pages > 0 AND (pages >= 2 * known_pages OR analyzed_at IS NULL)`);
  for (const table of rows) if (!(await unlessLocked(pool, (client) => analyze(client, table)))) return;
  await forgetEmpty(pool);
}

/** Refreshes the statistics of every table that has rows: after a migration there are none of its new columns. */
export async function analyzeAll(client: ClientBase): Promise<void> {
  const { rows } = await client.query<Table>(`${TABLES} WHERE pages > 0`);
  for (const table of rows) await analyze(client, table);
}

/**
 * Makes PostgreSQL forget that a table was empty when it was last analysed or vacuumed. PostgreSQL takes such a table for
 * empty until it is analysed again, and then every plan looks equally good. Of a table without statistics it expects ten
 * pages. Only PostgreSQL 18 and newer can do this.
 */
async function forgetEmpty(pool: Pool): Promise<void> {
  await unlessLocked(pool, async (client) => {
    const { rows } = await client.query<{ can: boolean }>(
      "SELECT to_regproc('pg_clear_relation_stats') IS NOT NULL AS can",
    );
    if (!rows[0]?.can) return;
    await client.query(`SELECT pg_clear_relation_stats(schema, relation) FROM (${TABLES}
      WHERE pages = 0 AND known_pages = 0 AND known_rows = 0) AS empty`);
  });
}

/** Skips a table that is being vacuumed or analysed already. Where that does not help, the next turn finds it again. */
async function analyze(client: ClientBase, { name }: Table): Promise<void> {
  await client.query(`ANALYZE (SKIP_LOCKED) ${name}`);
}

/** Does work in a transaction, where no other process analyses. @returns whether it was done. */
async function unlessLocked(pool: Pool, work: (client: ClientBase) => Promise<void>): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS locked", [
      LOCKS.statistics,
    ]);
    if (rows[0]?.locked) await work(client);
    return rows[0]?.locked ?? false;
  });
}

/** Whether this role may analyse a table. Before PostgreSQL 17 only its owner may. */
const MAY_ANALYZE = `CASE WHEN current_setting('server_version_num')::int >= 170000
  THEN has_table_privilege(class.oid, 'MAINTAIN') ELSE pg_has_role(relowner, 'USAGE') END`;

/**
 * The tables of the schema that this role may analyse: their pages now, and the pages and rows when PostgreSQL last
 * analysed or vacuumed them (`known_rows` is -1 where it has not). The size comes from the file system, so this is cheap for
 * tables of any size.
 */
const TABLES = `
  SELECT *
  FROM (
    SELECT
      format('%I.%I', nspname, relname) AS name,
      nspname AS schema,
      relname AS relation,
      pg_relation_size(class.oid) / current_setting('block_size')::bigint AS pages,
      relpages AS known_pages,
      reltuples AS known_rows,
      greatest(pg_stat_get_last_analyze_time(class.oid), pg_stat_get_last_autoanalyze_time(class.oid)) AS analyzed_at
    FROM pg_class class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND nspname = current_schema() AND relpersistence <> 't' AND ${MAY_ANALYZE}
  ) AS tables`;
