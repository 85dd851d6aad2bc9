import { beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { countKeysNearLimit, countMatchingKeys } from "../keys/queries";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { addDays } from "./calendar";
import { listRefusedKeys, readCalendar, readRefusals, readSpend } from "./queries";

// The overview is the first page that anybody opens. It must read what it shows, and not the whole account. Rows are counted here, not seconds.

const ROWS = 10_000;
const MOST_ROWS = ROWS / 5;

let db: Database;
let accountId: AccountId;

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  return own.remove;
});

/**
 * An account of many keys of which few are near a limit or expire soon, old refusals and few new ones, and days of which most
 * are rolled up.
 */
async function grow(): Promise<void> {
  ({ account_id: accountId } = await newAccount(db));
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, budget, spent, expiry_date)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n, 100, CASE WHEN n <= 50 THEN 90 ELSE 1 END,
        current_date + CASE WHEN n BETWEEN 51 AND 100 THEN 3 ELSE 300 END
      FROM generate_series(1, ${ROWS}) n`,
    [accountId],
  );
  const today = "(now() AT TIME ZONE 'Asia/Shanghai')::date";
  await db.pool.query(
    `INSERT INTO refusal_day (account_id, key_id, day, code, count)
      SELECT $1, 'sk-' || lpad((n % 400 + 1)::text, 7, '0'), ${today} - CASE WHEN n <= 50 THEN 1 ELSE 10 + n / 400 END, 'budget', 1
      FROM generate_series(1, ${ROWS}) n`,
    [accountId],
  );
  await db.pool.query(
    `INSERT INTO key_day (account_id, key_id, day, spent, captures, rolled_spent, rolled_captures)
      SELECT $1, 'sk-' || lpad((n / 25)::text, 7, '0'), ${today} - n % 25, 1, 1, 1, CASE WHEN n % 25 = 0 THEN 0 ELSE 1 END
      FROM generate_series(0, ${ROWS - 1}) n`,
    [accountId],
  );
}

test("reads what it shows, whatever the statistics say", async () => {
  for (const state of ["never analysed", "analysed", "analysed before the account was there"]) {
    if (state === "analysed") await db.pool.query("ANALYZE");
    else await grow();
    const calendar = await readCalendar(db, accountId);
    const { today } = calendar;
    const range = { from: addDays(today, -6), to: today };
    const expiring = { search: undefined, group: undefined, status: undefined, look: "expiring_7_days" } as const;
    const reads = {
      refusals: () => readRefusals(db, accountId, range),
      refusedKeys: () => listRefusedKeys(db, accountId, { ...range, code: "budget" }, { page: 1, pageSize: 50 }),
      spend: () => readSpend(db, accountId, calendar),
      keysNearLimit: () => countKeysNearLimit(db, accountId, 10_000),
      keysExpiring: () => countMatchingKeys(db, accountId, expiring, 10_000),
    };
    for (const [name, read] of Object.entries(reads)) {
      const rows = Math.max(...(await rowsRead(db.pool, /FROM (api_key|refusal_day|key_day)\b/, read)));
      expect({ state, name, isFew: rows < MOST_ROWS }, `${rows} rows`).toEqual({ state, name, isFew: true });
    }
    expect(await countKeysNearLimit(db, accountId, 10)).toEqual({ atLimit: 0, nearLimit: 21, isExact: false });
    expect((await reads.refusals()).data).toEqual([{ code: "budget", count: 50, keys: 50 }]);
    expect(await reads.keysExpiring()).toEqual({ total: 50, isTotalExact: true });
  }
});
