import { expect, test } from "vitest";
import { database, newAccount } from "../testing/database";
import { sentStatements } from "../testing/sent-statements";
import { listTotals } from "./total-queries";

// Of a search for keys, what the found ones spent is looked up where many more spent. Otherwise what all keys spent is added up.

const KEYS = 6_600;
const FOUND = [
  ["cat", KEYS / 6],
  ["dog", KEYS / 3],
] as const;

/** The last day of the last span of 5 days that is over: spans begin at multiples of their length. */
const END_OF_SPAN = "DATE '1970-01-01' + (today - DATE '1970-01-01') / 5 * 5 - 1";

test.each([
  ["today, which is in no longer span", "today", "today", "today"],
  ["yesterday, and not today", "today - 1", "today - 1", "today"],
  ["the last day of a longer span", END_OF_SPAN, `${END_OF_SPAN} - 9`, END_OF_SPAN],
])("of keys that spent %s", async (_, day, from, to) => {
  const { account_id: accountId } = await newAccount();
  await database.pool.query(
    `INSERT INTO api_key (account_id, id, name)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), (ARRAY['cat', 'dog', 'dog', 'owl', 'owl', 'owl'])[1 + n % 6]
      FROM generate_series(1, $2) n`,
    [accountId, KEYS],
  );
  const { rows } = await database.pool.query<{ from: string; to: string }>(
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
  const range = { from: rows[0]?.from ?? "", to: rows[0]?.to ?? "" };

  for (const [search, found] of FOUND) {
    const filter = { range, by: "key", groupId: undefined, search } as const;
    const order = { sort: "spent", order: "desc" } as const;
    const sent = await sentStatements(async () => {
      const totals = await listTotals(database, accountId, filter, order, { page: 1, pageSize: 10 });
      expect([totals.total, totals.spent]).toEqual([found, found]);
    });
    const areLookedUp = sent.some(({ text }) => text?.includes("AS found(id)"));
    expect({ search, areLookedUp }).toEqual({ search, areLookedUp: search === "cat" });
  }
});
