import type { Database } from "../db/client";

const DAYS_AHEAD = 7;
/** One process at a time makes and drops partitions. */
const LEDGER_LOCK = 5_274_101;

/**
 * Makes the ledger's partitions for today and the days to come, by the database's clock in UTC, and drops those that are
 * older than the retention. A day that has no partition yet is written to the last one, so that this may be late.
 */
export async function keepLedger(db: Database, retentionDays: number): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LEDGER_LOCK]);
    const { rows: missing } = await client.query<{ day: string; next: string; name: string }>(
      `SELECT day::date::text AS day, (day::date + 1)::text AS next, to_char(day, '"ledger_"YYYYMMDD') AS name
        FROM generate_series((now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date + $1::int, '1 day') AS day
        WHERE to_regclass(to_char(day, '"ledger_"YYYYMMDD')) IS NULL
          AND NOT EXISTS (SELECT FROM ledger_other WHERE recorded_on = day::date)`,
      [DAYS_AHEAD],
    );
    for (const { day, next, name } of missing) {
      await client.query(`CREATE TABLE ${name} PARTITION OF ledger FOR VALUES FROM ('${day}') TO ('${next}')`);
    }
    const { rows: old } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
        WHERE inhparent = 'ledger'::regclass AND relname ~ '^ledger_\\d{8}$'
          AND to_date(right(relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - $1::int`,
      [retentionDays],
    );
    for (const { name } of old) await client.query(`DROP TABLE ${name}`);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
