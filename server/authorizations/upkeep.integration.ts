import { pino } from "pino";
import { expect, test } from "vitest";
import { newAccount } from "../testing/database";
import { openOwnDatabase } from "../testing/own-database";
import { runUpkeep } from "./upkeep";

test("a key whose expired holds cannot be released keeps neither other keys nor other upkeep waiting", async () => {
  const { db, remove } = await openOwnDatabase();
  const stop = new AbortController();
  const failures: string[] = [];
  try {
    const { account_id: accountId } = await newAccount(db);
    // Of the first key, the counters have less than its hold.
    const today = "(now() AT TIME ZONE 'Asia/Shanghai')::date";
    await db.pool.query(
      `INSERT INTO api_key (account_id, id, name, open_holds, held_until, day, month, held, day_held, month_held)
        SELECT $1, 'sk-000000' || n, 'key', 1, now() - interval '1 minute', ${today}, date_trunc('month', ${today}), 5, n, 5
        FROM generate_series(4, 5) AS n`,
      [accountId],
    );
    await db.pool.query(
      `INSERT INTO "authorization" (account_id, id, key_id, amount, day, month, expires_at, state)
        SELECT account_id, lpad(right(id, 1), 24, '0'), id, 5, day, month, held_until, 'held'
        FROM api_key WHERE account_id = $1 AND NOT is_default`,
      [accountId],
    );
    const log = pino({ level: "error" }, { write: (line) => failures.push(JSON.parse(line).err.message) });
    const running = runUpkeep(db, { ledgerRetentionDays: 30, activityRetentionDays: 30 }, log, stop.signal);
    await expect.poll(() => failures.length).toBe(1);
    stop.abort();
    await running;
    const { rows } = await db.pool.query(
      `SELECT id, held::float8, (SELECT count(*)::int FROM key_count_change) AS uncounted FROM api_key
        WHERE account_id = $1 AND NOT is_default ORDER BY id`,
      [accountId],
    );
    expect(rows).toEqual([
      { id: "sk-0000004", held: 5, uncounted: 0 },
      { id: "sk-0000005", held: 0, uncounted: 0 },
    ]);
    const { rowCount } = await db.pool.query("SELECT FROM rate_limit WHERE key = 'turn: upkeep of the ledger'");
    expect(rowCount).toBe(1);
    expect(failures).toEqual([expect.stringContaining("api_key_counters_not_negative")]);
  } finally {
    stop.abort();
    await remove();
  }
});
