import { beforeAll, expect, test } from "vitest";
import type { Database } from "../db/client";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { sentStatements } from "../testing/sent-statements";
import { listSeries } from "./queries";
import { SERIES_SHOWN } from "./schema";
import { listTotals } from "./total-queries";

// What the keys of a search or of a group spent is looked up where many more keys spent. Otherwise what all keys spent is added
// up, and the others are left out, or each is asked for the text. Very many keys with the text are read in the same statement.

const KEYS = 31_500;
const GROUP = "690000000000000000000001";
const SMALL_GROUP = "690000000000000000000002";
/** Searches, whether of the group of all dogs and cats or of that of five owls, and how many keys of it spent. */
const LISTED = [
  { search: "cat", groupId: undefined, found: KEYS / 30, way: "looked up" },
  { search: "dog", groupId: undefined, found: KEYS / 10, way: "left out" },
  { search: "emu", groupId: undefined, found: KEYS / 5, way: "left out" },
  { search: "owl", groupId: undefined, found: (KEYS / 3) * 2, way: "left out by text" },
  { search: "", groupId: GROUP, found: (KEYS / 30) * 4, way: "left out" },
  { search: "dog", groupId: GROUP, found: KEYS / 10, way: "left out" },
  { search: "cat", groupId: GROUP, found: KEYS / 30, way: "looked up" },
  { search: "owl", groupId: SMALL_GROUP, found: 5, way: "asked" },
] as const;

/** The last day of the last span of 5 days that is over: spans begin at multiples of their length. */
const END_OF_SPAN = "DATE '1970-01-01' + (today - DATE '1970-01-01') / 5 * 5 - 1";

let db: Database;

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  return own.remove;
});

test.each([
  ["today, which is in no longer span", "today", "today", "today"],
  ["yesterday, and not today", "today - 1", "today - 1", "today"],
  ["the last day of a longer span", END_OF_SPAN, `${END_OF_SPAN} - 9`, END_OF_SPAN],
])("of keys that spent %s", async (_, day, from, to) => {
  const { account_id: accountId } = await newAccount(db);
  await db.pool.query(
    "INSERT INTO api_key_group (account_id, id, name) VALUES ($1, $2, 'of cats and dogs'), ($1, $3, 'of owls')",
    [accountId, GROUP, SMALL_GROUP],
  );
  await db.pool.query(
    `WITH named AS (
        SELECT 'sk-' || lpad(n::text, 7, '0') AS id, name,
          CASE WHEN name IN ('cat', 'dog') THEN $3 WHEN name = 'owl' AND n <= 14 THEN $4 END AS group_id
        FROM generate_series(1, $2::int) n, LATERAL (SELECT
          CASE WHEN n % 30 = 0 THEN 'cat' WHEN n % 30 < 4 THEN 'dog' WHEN n % 30 < 10 THEN 'emu' ELSE 'owl' END) AS kind (name)
      ), rolled AS (
        INSERT INTO rolled_key (account_id, key_id, group_id) SELECT $1, id, coalesce(group_id, '') FROM named
      )
      INSERT INTO api_key (account_id, id, name, group_id) SELECT $1, id, name, group_id FROM named`,
    [accountId, KEYS, GROUP, SMALL_GROUP],
  );
  const { rows } = await db.pool.query<{ from: string; to: string }>(
    `WITH day AS (
        SELECT (${day})::date AS spent_on, (${from})::date AS from, (${to})::date AS to, today
        FROM (SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date AS today) AS days
      ), of_key AS (
        INSERT INTO key_day (account_id, key_id, day, spent, captures, rolled_spent, rolled_captures)
        SELECT account_id, id, spent_on, 1, 1, (spent_on < today)::int, (spent_on < today)::int
        FROM api_key, day WHERE account_id = $1 AND NOT is_default
      ), of_span AS (
        INSERT INTO spend_span (account_id, kind, days, first, subject, spent, captures)
        SELECT account_id, 'key', 5, spent_on - 4, id, 1, 1
        FROM api_key, day WHERE account_id = $1 AND NOT is_default AND spent_on < today
      )
      SELECT day.from::text, day.to::text FROM day`,
    [accountId],
  );
  // PostgreSQL has counted the keys, so that those that spent are known to be many of them.
  await db.pool.query("ANALYZE api_key");
  const range = { from: rows[0]?.from ?? "", to: rows[0]?.to ?? "" };

  for (const { search, groupId, found, way } of LISTED) {
    const filter = { range, by: "key", groupId, search } as const;
    const order = { sort: "spent", order: "desc" } as const;
    const sent = await sentStatements(async () => {
      const totals = await listTotals(db, accountId, filter, order, { page: 1, pageSize: 10 });
      expect([search, totals.total, totals.spent]).toEqual([search, found, found]);
    });
    expect([search, groupId, wayOf(sent)]).toEqual([search, groupId, way]);
  }

  const sent = await sentStatements(async () => {
    const { data } = await listSeries(db, accountId, { range, by: "key", groupId: GROUP });
    const shown = data.filter(({ is_rest }) => !is_rest);
    expect(shown).toHaveLength(SERIES_SHOWN);
    for (const series of shown) {
      expect(series).toMatchObject({ name: expect.stringMatching(/^(cat|dog)$/), total: 1 });
    }
  });
  expect(wayOf(sent)).toBe("left out");
});

/** What statements do with the keys. */
function wayOf(sent: readonly { text?: string }[]): string {
  const statements = sent.map(({ text = "" }) => text).join("\n");
  if (/matching AS MATERIALIZED \(SELECT id FROM \(SELECT key/.test(statements)) return "left out by text";
  if (/OFFSET 0\) AS total WHERE \(id IN/.test(statements)) return "left out";
  return statements.includes("named.search_text LIKE") ? "asked" : "looked up";
}
