import type { PoolClient } from "pg";
import type { Database } from "../db/client";
import { inTransaction } from "../db/transaction";

const DAYS_AHEAD = 7;
/** The advisory lock for making and dropping partitions. */
const LEDGER_LOCK = 5_274_101;
/**
 * How long a statement waits for its lock. While a partition waits to be dropped, captures wait behind it. A reader who
 * reads the ledger for minutes must not stop captures.
 */
const LONGEST_WAIT_MS = 250;

/**
 * Makes the partitions of the ledger for today and the next days, by the database's clock in UTC, and drops those that
 * are older than the retention. The rows of a day without a partition go to `ledger_other`, so this may run late.
 * @throws SQLSTATE 55P03 when somebody reads the ledger for too long. It has to be tried again then.
 */
export async function maintainPartitions(db: Database, retentionDays: number): Promise<void> {
  const { rows: missing } = await db.pool.query<{ day: string; next: string; name: string }>(
    `SELECT ahead::date::text AS day, (ahead::date + 1)::text AS next, to_char(ahead, '"ledger_"YYYYMMDD') AS name
      FROM generate_series((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + $1::int, '1 day') AS ahead
      WHERE to_regclass(to_char(ahead, '"ledger_"YYYYMMDD')) IS NULL
        AND NOT EXISTS (SELECT FROM ledger_other WHERE recorded_on = ahead::date)`,
    [DAYS_AHEAD],
  );
  for (const { day, next, name } of missing) {
    await inTurn(db, async (client) => {
      // `to_regclass` was asked before this transaction had the lock, so another process may have made the partition since.
      const { rowCount } = await client.query("SELECT FROM pg_class WHERE relname = $1", [name]);
      if (rowCount !== 0) return;
      // CREATE TABLE … PARTITION OF would block every capture. ATTACH PARTITION does not.
      await client.query(`CREATE TABLE ${name} (LIKE ledger INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
      await client.query(`ALTER TABLE ledger ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${next}')`);
    });
  }
  const { rows: old } = await db.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
      WHERE inhparent = 'ledger'::regclass AND relname ~ '^ledger_\\d{8}$'
        AND to_date(right(relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - $1::int`,
    [retentionDays],
  );
  for (const { name } of old) await inTurn(db, (client) => client.query(`DROP TABLE IF EXISTS ${name}`));
  if (await isOtherOld(db.pool, retentionDays)) {
    await inTurn(db, async (client) => {
      await client.query("LOCK TABLE ledger_other");
      if (await isOtherOld(client, retentionDays)) await client.query("TRUNCATE ledger_other");
    });
  }
}

/** Whether `ledger_other` has rows, and all of them are older than the retention. */
async function isOtherOld(db: Pick<PoolClient, "query">, retentionDays: number): Promise<boolean> {
  const { rows } = await db.query<{ is_old: boolean | null }>(
    "SELECT max(recorded_on) < (now() AT TIME ZONE 'UTC')::date - $1::int AS is_old FROM ledger_other",
    [retentionDays],
  );
  return rows[0]?.is_old ?? false;
}

async function inTurn({ pool }: Pick<Database, "pool">, work: (client: PoolClient) => Promise<unknown>): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LEDGER_LOCK]);
    await client.query(`SET LOCAL lock_timeout = ${LONGEST_WAIT_MS}`);
    await work(client);
  });
}
