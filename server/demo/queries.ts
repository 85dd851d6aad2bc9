import type { AccountId } from "../auth/account-id";
import { beginOf, today } from "../db/account-row";
import { insertRows } from "../db/bulk";
import type { Database } from "../db/client";
import { inTransaction } from "../db/transaction";
import { insertHistory } from "../history/recording";
import type { Progress } from "../progress";
import type { Present } from "./clock";
import type { DemoData } from "./data";

const TABLES = [
  "api_key_group",
  "api_key",
  "event",
  "event_key",
  '"authorization"',
  "ledger",
  "key_day",
  "model_day",
  "refusal_day",
  "refusal",
];

/** The present moment and day of an account, by the clock of the database. */
export async function readPresent({ pool }: Database, accountId: AccountId): Promise<Present> {
  const { rows } = await pool.query<Present>(
    `SELECT now, today::text AS today, ${beginOf("today")} AS midnight
      FROM (SELECT now(), ${today} AS today, time_zone FROM account WHERE id = $1) AS local`,
    [accountId],
  );
  return rows[0] as Present;
}

/**
 * Inserts demo data into an account, all or nothing, and updates PostgreSQL's statistics of the tables. No value opens
 * its keys.
 * @param onProgress counts rows. The last tenth stands for the statistics.
 */
export async function insertDemoData(
  { pool }: Database,
  accountId: AccountId,
  data: DemoData,
  onProgress: Progress = () => {},
): Promise<void> {
  const rows = Object.values(data).reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  const count = (more: number) => {
    done += more;
    onProgress(done, rows * 1.1);
  };
  await inTransaction(pool, async (client) => {
    const insert = (table: string, some: readonly object[]) => insertRows(client, accountId, table, some, count);
    await insert("api_key_group", data.groups);
    await insert("api_key", data.keys);
    await insertHistory(client, accountId, data, count);
    await insert('"authorization"', data.authorizations);
    await insert("ledger", data.ledger);
    await insert("key_day", data.keyDays);
    await insert("model_day", data.modelDays);
    await insert("refusal_day", data.refusals);
    await insert("refusal", data.singleRefusals);
  });
  for (const table of TABLES) {
    await pool.query(`VACUUM (ANALYZE) ${table}`);
    count(rows / 10 / TABLES.length);
  }
}
