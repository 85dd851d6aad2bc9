import type { ClientBase, Pool, QueryResultRow } from "pg";

/**
 * A prepared statement. PostgreSQL parses it once per connection and may keep its plan, so the hot path uses these, and
 * everything else uses Prisma. `Row` is the shape of one row of its answer.
 */
export interface Statement<Row extends QueryResultRow> {
  /** Unique in the process: `pg` keeps one text per name and connection. */
  name: string;
  /** PostgreSQL's name for the type of each parameter, `$1` first. */
  parameters: readonly string[];
  text: string;
  /** Only for the type of the rows. There is no such property at run time. */
  row?: Row;
}

/** Declares a prepared statement. Each one is listed in `server/statements.ts`. */
export function statement<Row extends QueryResultRow>(
  name: string,
  parameters: readonly string[],
  text: string,
): Statement<Row> {
  return { name, parameters, text };
}

/** Runs a prepared statement on a pool, or on a connection that is in a transaction, and returns its rows. */
export async function run<Row extends QueryResultRow>(
  client: Pool | ClientBase,
  { name, text }: Statement<Row>,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await client.query<Row>({ name, text, values });
  return rows;
}
