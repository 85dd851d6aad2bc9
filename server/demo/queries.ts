import type { AccountId } from "../auth/account-id";
import { insertRows } from "../db/bulk";
import type { Database } from "../db/client";
import { inTransaction } from "../db/transaction";
import { insertHistory } from "../history/recording";
import type { Progress } from "../progress";
import type { DemoData } from "./data";
import { COUNTERS_OF_DEMO, SPEND_OF_DEMO } from "./spend";

const TABLES = ["api_key_group", "api_key", "event", "event_key", "key_secret", '"authorization"', "ledger", "key_day"];

/**
 * Inserts demo data into an account, all or nothing, and updates PostgreSQL's statistics of the tables. Each key gets the
 * hash of a value that nobody knows.
 * @param told of rows. The last third stands for what the database makes of them: spend, and statistics.
 */
export async function insertDemoData(
  { pool }: Database,
  accountId: AccountId,
  data: DemoData,
  seed: number,
  told: Progress = () => {},
): Promise<void> {
  const rows = data.groups.length + data.keys.length + data.events.length + data.eventKeys.length;
  let done = 0;
  const count = (more: number) => {
    done += more;
    told(done, rows * 1.5);
  };
  await inTransaction(pool, async (client) => {
    await insertRows(client, accountId, "api_key_group", data.groups, count);
    await insertRows(client, accountId, "api_key", data.keys, count);
    await insertHistory(client, accountId, data, count);
    await client.query(
      `INSERT INTO key_secret (hash, account_id, key_id)
        SELECT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), account_id, id
        FROM api_key WHERE account_id = $1 AND NOT is_default`,
      [accountId],
    );
    await client.query(SPEND_OF_DEMO, [accountId, seed]);
    const { rows } = await client.query<{ today: string; month: string }>(
      `SELECT today::text, date_trunc('month', today)::date::text AS month
        FROM (SELECT (now() AT TIME ZONE time_zone)::date AS today FROM account WHERE id = $1) AS local`,
      [accountId],
    );
    await client.query(COUNTERS_OF_DEMO, [accountId, rows[0]?.today, rows[0]?.month]);
  });
  for (const table of TABLES) {
    await pool.query(`VACUUM (ANALYZE) ${table}`);
    count(rows / 2 / TABLES.length);
  }
}
