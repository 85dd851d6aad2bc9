import type { Client } from "pg";
import type { TableHeader } from "./backup-file";

/**
 * Every table with the columns that are stored, a table after those that its foreign keys point to. A partitioned table
 * stands for its partitions. The columns that PostgreSQL computes are left out.
 */
export async function listTables(client: Client): Promise<TableHeader[]> {
  const { rows } = await client.query<TableHeader & { needs: string[] }>(
    `SELECT relname AS table,
        ARRAY(SELECT attname::text FROM pg_attribute
          WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
        ARRAY(SELECT DISTINCT needed.relname::text FROM pg_constraint JOIN pg_class needed ON needed.oid = confrelid
          WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS needs
      FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> '_prisma_migrations'
      ORDER BY relname`,
  );
  const sorted: typeof rows = [];
  for (let left = rows; left.length > 0; ) {
    const ready = left.filter(({ needs }) => needs.every((name) => !left.some(({ table }) => table === name)));
    if (ready.length === 0) throw new Error(`the foreign keys of ${left.map(({ table }) => table)} form a circle`);
    sorted.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return sorted.map(({ table, columns }) => ({ table, columns }));
}

/** The columns of a table as SQL. */
export function columnsOf(client: Client, { columns }: TableHeader): string {
  return columns.map((column) => client.escapeIdentifier(column)).join(", ");
}
