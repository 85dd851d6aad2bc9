import type { PoolClient } from "pg";

const ROWS_AT_ONCE = 5_000;

/**
 * Inserts many rows of one account into a table.
 * @param table its name, never from a request.
 * @param rows by their columns, without `account_id`. All rows have the columns of the first.
 * @param onProgress gets how many more rows are inserted.
 */
export async function insertRows(
  client: PoolClient,
  accountId: string,
  table: string,
  rows: readonly object[],
  onProgress: (rows: number) => void = () => {},
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    await client.query(
      `INSERT INTO ${table} (account_id, ${columns})
        SELECT $1, ${columns} FROM json_populate_recordset(NULL::${table}, $2)`,
      [accountId, JSON.stringify(some)],
    );
    onProgress(some.length);
  }
}
