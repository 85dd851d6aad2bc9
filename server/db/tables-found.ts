import type { Client } from "pg";

/** The tables of the schema, without those of extensions. A partitioned table stands for its partitions. */
export async function findTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = to_regnamespace('public') AND relkind IN ('r', 'p') AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
      ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

const MAKES = /(?:CREATE TABLE|RENAME TO) (?:IF NOT EXISTS )?"?(\w+)/g;

/** The names of all tables that migrations have ever made. */
export function tablesMadeBy(migrations: readonly { sql: string }[]): ReadonlySet<string> {
  return new Set(migrations.flatMap(({ sql }) => [...sql.matchAll(MAKES)].map(([, name = ""]) => name)));
}

const MOST_NAMED = 5;

/** Some names of a list, and how many more there are. */
export function namesOf(tables: readonly string[]): string {
  const more = tables.length - MOST_NAMED;
  return tables.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
