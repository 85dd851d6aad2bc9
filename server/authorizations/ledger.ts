import type { PoolClient } from "pg";
import { LOCKS } from "../db/advisory-locks";
import type { Database } from "../db/client";
import { inTransaction } from "../db/transaction";

const DAYS_AHEAD = 7;
/**
 * How long a statement waits for its lock. While a partition waits to be dropped, captures wait behind it. A reader who
 * reads the ledger for minutes must not stop captures.
 */
const LONGEST_WAIT_MS = 250;
/** SQLSTATE of a row that a constraint does not allow. */
const CHECK_VIOLATION = "23514";

/**
 * Makes the partitions of the ledger for today and the next days, by the database's clock in UTC, and drops those that
 * are older than the retention. The rows of a day without a partition go to `ledger_other`, so this may run late. Functions of
 * the database do it with the rights of the owner (docs/decisions/database-roles.md).
 * @throws SQLSTATE 55P03 when somebody reads the ledger for too long. It has to be tried again then.
 */
export async function maintainPartitions(db: Database, retentionDays: number): Promise<void> {
  const { rows: missing } = await db.pool.query<{ day: string }>(
    `SELECT ahead::date::text AS day
      FROM generate_series((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + $1::int, '1 day') AS ahead
      WHERE to_regclass(to_char(ahead, '"ledger_"YYYYMMDD')) IS NULL
        AND ahead::date <> ALL (ARRAY(
          SELECT DISTINCT recorded_on FROM ledger_other WHERE recorded_on >= (now() AT TIME ZONE 'UTC')::date))`,
    [DAYS_AHEAD],
  );
  for (const { day } of missing) {
    await underLock(db, (client) => client.query("SELECT make_ledger_partition($1::date)", [day])).catch(
      (error: { code?: string }) => {
        // A capture of this day went to `ledger_other` after the look above. Then its other captures go there too.
        if (error.code !== CHECK_VIOLATION) throw error;
      },
    );
  }
  const { rows: old } = await db.pool.query<{ day: string }>(
    `SELECT to_date(right(relname, 8), 'YYYYMMDD')::text AS day FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
      WHERE inhparent = 'ledger'::regclass AND relname ~ '^ledger_\\d{8}$'
        AND to_date(right(relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - $1::int`,
    [retentionDays],
  );
  for (const { day } of old) {
    await underLock(db, (client) => client.query("SELECT drop_ledger_partition($1::date)", [day]));
  }
  const { rows: other } = await db.pool.query<{ is_old: boolean | null }>(
    "SELECT max(recorded_on) < (now() AT TIME ZONE 'UTC')::date - $1::int AS is_old FROM ledger_other",
    [retentionDays],
  );
  if (other[0]?.is_old) {
    await underLock(db, (client) => client.query("SELECT empty_ledger_other($1::int)", [retentionDays]));
  }
}

/** Does work in a transaction of which one runs at a time. Its statements wait for a table no longer than `LONGEST_WAIT_MS`. */
async function underLock(
  { pool }: Pick<Database, "pool">,
  work: (client: PoolClient) => Promise<unknown>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.ledger]);
    await client.query(`SET LOCAL lock_timeout = ${LONGEST_WAIT_MS}`);
    await work(client);
  });
}
