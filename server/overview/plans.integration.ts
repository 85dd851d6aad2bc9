import { beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { countKeysNearLimit } from "../keys/queries";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { listRefusedKeys, readCalendar, readRefusals, readSpend } from "./queries";

// The overview is the first page that anybody opens. It must read what it shows, and not the whole account. Rows are counted here, not seconds.

const ROWS = 20_000;
const MOST_ROWS = ROWS / 5;

let db: Database;
let accountId: AccountId;

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  ({ account_id: accountId } = await newAccount(db));
  return own.remove;
});

/** Many keys of which few are near a limit, old refusals and few new ones, and days that are rolled up. */
async function grow(): Promise<void> {
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, budget, spent)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n, 100, CASE WHEN n <= 50 THEN 90 ELSE 1 END
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

test("reads what it shows; of refusals, in a table that was never analysed too", async () => {
  await grow();
  const calendar = await readCalendar(db, accountId);
  const { today } = calendar;
  const from = new Date(Date.parse(today) - 6 * 86_400_000).toISOString().slice(0, 10);
  const range = { from, to: today };
  for (const state of ["never analysed", "analysed"]) {
    if (state === "analysed") await db.pool.query("ANALYZE");
    const reads = {
      refusals: () => readRefusals(db, accountId, range),
      refusedKeys: () => listRefusedKeys(db, accountId, { ...range, code: "budget" }, { page: 1, pageSize: 50 }),
      spend: () => readSpend(db, accountId, calendar),
      keys: () => countKeysNearLimit(db, accountId, 10_000),
    };
    for (const [name, read] of Object.entries(reads)) {
      // Days and keys are found as usage and the list of keys find them, which needs the statistics that the upkeep makes
      // within a minute.
      if ((name === "spend" || name === "keys") && state !== "analysed") continue;
      const rows = Math.max(...(await rowsRead(db.pool, /FROM (api_key|refusal_day|key_day)\b/, read)));
      expect({ state, name, isFew: rows < MOST_ROWS }, `${rows} rows`).toEqual({ state, name, isFew: true });
    }
  }
  expect(await countKeysNearLimit(db, accountId, 10)).toEqual({ atLimit: 0, nearLimit: 21, isExact: false });
  expect((await readRefusals(db, accountId, range)).data).toEqual([{ code: "budget", count: 50, keys: 50 }]);
});
