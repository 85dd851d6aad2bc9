import { beforeEach, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { addDays } from "../overview/calendar";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { listKeyDays, listRefusals, listSeries } from "./queries";
import { rollUpSpend } from "./roll-up-queries";
import { USAGE_BY } from "./schema";
import type { DayRange } from "./spans";
import { listKeyTotalsAfter, listTotals } from "./total-queries";

// What keys spent today is not rolled up yet. The usage of a group must look up the group of each such key, whatever PostgreSQL
// believes of the tables. A join that compared each of these days with each key of the group took 6 s for 17,000 keys. Where the
// account was not known to the statistics, each day of each key read all days of the account: 14 s for 4,000 keys. Rows and
// pages are counted here, not seconds.

const GROUP = "a".repeat(24);
const KEY = "sk-0000077";
const KEYS = 2_000;
/** A few statements each handle a row of each key and day some twenty times. Comparing all with all handles 1,000 for each. */
const MOST_ROWS = KEYS * 50;
/** What is read of one key handles its days a few times. */
const MOST_ROWS_OF_KEY = 100;
const ROLLED_DAYS = 8;

/** Keys that spent on each of some days, which are rolled up. To read each of these days would handle twice as many rows. */
const OLD_KEYS = 500;
const OLD_DAYS = 75;
const MOST_ROWS_OF_SPANS = (OLD_KEYS * OLD_DAYS) / 2;

let db: Database;
let accountId: AccountId;

beforeEach(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  return own.remove;
});

/** A new account with a group that has all its keys. */
async function openGroup(keys: number): Promise<void> {
  ({ account_id: accountId } = await newAccount(db));
  await db.prisma.apiKeyGroup.create({ data: { accountId, id: GROUP, name: "group" } });
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n, $2 FROM generate_series(1, $3::int) n`,
    [accountId, GROUP, keys],
  );
}

/**
 * A group whose keys all spent today. Half of them spent on days before too, which are rolled up, and each second one of these
 * was moved into the group since.
 */
async function grow(): Promise<void> {
  await openGroup(KEYS);
  await db.pool.query(
    `INSERT INTO rolled_key (account_id, key_id, group_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), CASE WHEN n % 4 = 1 THEN $2 ELSE '' END FROM generate_series(1, ${KEYS}, 2) n`,
    [accountId, GROUP],
  );
  await db.pool.query(
    `INSERT INTO moved_key (account_id, key_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0') FROM generate_series(3, ${KEYS}, 4) n`,
    [accountId],
  );
  const today = "(now() AT TIME ZONE 'Asia/Shanghai')::date";
  await db.pool.query(
    `INSERT INTO key_day (account_id, key_id, day, spent, captures, rolled_spent, rolled_captures)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), ${today} - ago, 1, 1, least(ago, 1), least(ago, 1)
      FROM generate_series(1, ${KEYS}) n CROSS JOIN generate_series(0, CASE WHEN n % 2 = 1 THEN ${ROLLED_DAYS} ELSE 0 END) ago`,
    [accountId],
  );
  await db.pool.query(
    `INSERT INTO model_day (account_id, key_id, day, spent, captures, model, input_tokens, cached_input_tokens, output_tokens)
      SELECT account_id, key_id, day, spent, captures, 'model', 1, 0, 1 FROM key_day WHERE account_id = $1 AND day = ${today}`,
    [accountId],
  );
  await db.pool.query(
    `INSERT INTO refusal_day (account_id, key_id, day, code, count)
      SELECT account_id, key_id, day, 'budget', 1 FROM key_day WHERE account_id = $1`,
    [accountId],
  );
}

test("looks up the group of each key that spent today, whatever the statistics say", async () => {
  const { rows } = await db.pool.query<{ today: string }>(
    "SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date::text AS today",
  );
  const today = rows[0]?.today ?? "";
  const range = { from: today, to: today };
  for (const state of ["never analysed", "analysed", "analysed before the account was there"]) {
    if (state === "analysed") await db.pool.query("ANALYZE");
    else await grow();
    for (const groupId of [GROUP, undefined]) {
      for (const by of USAGE_BY) {
        const filter = { range, by, groupId };
        const order = { sort: "spent", order: "desc" } as const;
        const reads = {
          series: async () => expect(await listSeries(db, accountId, filter)).toMatchObject({ total: KEYS }),
          totals: () => listTotals(db, accountId, { ...filter, search: "" }, order, { page: 1, pageSize: 50 }),
          search: () => listTotals(db, accountId, { ...filter, search: "1" }, order, { page: 1, pageSize: 50 }),
          keysAfter: () => listKeyTotalsAfter(db, accountId, { range, groupId, after: undefined }, KEYS / 8),
        };
        for (const [name, read] of Object.entries(reads)) {
          const handled = Math.max(...(await rowsRead(db.pool, /\bkey_day\b/, read)));
          expect({ state, groupId, by, name, isFew: handled < MOST_ROWS }, `${handled} rows`).toMatchObject({
            isFew: true,
          });
        }
      }
    }
    const week = { from: addDays(today, -6), to: today };
    const readsOfKey = {
      days: () => listKeyDays(db, accountId, KEY, week),
      refusals: () => listRefusals(db, accountId, KEY, week),
    };
    for (const [name, read] of Object.entries(readsOfKey)) {
      const handled = Math.max(...(await rowsRead(db.pool, /\b(key_day|refusal_day)\b/, read)));
      expect({ state, name, isFew: handled < MOST_ROWS_OF_KEY }, `${handled} rows`).toMatchObject({ isFew: true });
    }
    expect((await readsOfKey.days()).total).toBe(7);
  }
});

/** A group whose keys spent on each day of a range. */
async function growOld({ from }: DayRange): Promise<void> {
  await openGroup(OLD_KEYS);
  await db.pool.query(
    `INSERT INTO key_day (account_id, key_id, day, spent, captures)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), $2::date + day, 1, 1
      FROM generate_series(1, ${OLD_KEYS}) n CROSS JOIN generate_series(0, ${OLD_DAYS - 1}) day`,
    [accountId, from],
  );
  await rollUpSpend(db, new AbortController().signal);
}

test("reads no day that is rolled up in a longer span, where the statistics do not know the account", async () => {
  // Whole spans of 25 days, which begin at multiples of their length.
  const { rows } = await db.pool.query<DayRange>(
    `SELECT (next - ${OLD_DAYS})::text AS from, (next - 1)::text AS to
      FROM (SELECT DATE '1970-01-01' + (now()::date - DATE '1970-01-01' - 1) / 25 * 25 AS next) AS span`,
  );
  const [range = { from: "", to: "" }] = rows;
  const order = { sort: "spent", order: "desc" } as const;
  await growOld(range);
  for (const [groupId, search] of [
    [undefined, ""],
    [undefined, "1"],
    [GROUP, ""],
  ] as const) {
    const filter = { range, by: "key", groupId, search } as const;
    const read = () => listTotals(db, accountId, filter, order, { page: 1, pageSize: 50 });
    const handled = Math.max(...(await rowsRead(db.pool, /\bkey_day\b/, read)));
    expect({ groupId, search, isFew: handled < MOST_ROWS_OF_SPANS }, `${handled} rows`).toMatchObject({
      isFew: true,
    });
    expect((await read()).data[0]?.spent).toBe(OLD_DAYS);
  }
});
