import { beforeAll, describe, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { listSeries } from "../usage/queries";
import { listGroupTotals, listTotals } from "../usage/total-queries";
import { findGroupNames, listGroups, searchGroups } from "./queries";

// A list of groups, or of what groups spent, must handle each group a few times, whatever PostgreSQL believes of the tables. A
// join compared each group with each count, or with each name: 4 to 12 million rows for 2,000 groups. Rows and pages are
// counted here, not seconds.

const GROUPS = 2_000;
/** To read all keys for each of the 50 groups of a page is 50 for each, and to compare all with all is 2,000. */
const MOST_ROWS = 40 * GROUPS;

let db: Database;
let accountId: AccountId;

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  return own.remove;
});

/** An account whose groups have a key each, which spent on two days. */
async function accountWithGroups(): Promise<AccountId> {
  const { account_id: id } = await newAccount(db);
  const each = `FROM generate_series(1, ${GROUPS}) AS n`;
  await db.pool.query(
    `INSERT INTO api_key_group (account_id, id, name) SELECT $1, lpad(n::text, 24, '0'), 'group ' || n ${each}`,
    [id],
  );
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key', lpad(n::text, 24, '0') ${each}`,
    [id],
  );
  await db.pool.query(
    `INSERT INTO key_day (account_id, key_id, day, spent, captures)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), '2026-03-01'::date + d, 1, 1 ${each}, generate_series(0, 1) AS d`,
    [id],
  );
  return id;
}

const range = { from: "2026-02-20", to: "2026-03-10" };
const page = { page: 1, pageSize: 50 };
const usage = { range, by: "group", groupId: undefined, search: "" } as const;

const lists: [string, () => Promise<unknown>][] = [
  ["all groups", () => listGroups(db, accountId)],
  [
    "groups by their number of keys",
    () => searchGroups(db, accountId, { search: "group", sort: "apikey_count", order: "desc" }, page),
  ],
  ["groups by name", () => searchGroups(db, accountId, { search: undefined, sort: "name", order: "asc" }, page)],
  ["names of groups", () => findGroupNames(db, accountId, { search: "12", ids: undefined, count: 20 })],
  ["usage by group", () => listTotals(db, accountId, usage, { sort: "spent", order: "desc" }, page)],
  ["usage by group, by name", () => listTotals(db, accountId, usage, { sort: "name", order: "asc" }, page)],
  [
    "usage by group, searched",
    () => listTotals(db, accountId, { ...usage, search: "group" }, { sort: "spent", order: "desc" }, page),
  ],
  ["a file of usage by group", () => listGroupTotals(db, accountId, range, undefined)],
  ["series by group", () => listSeries(db, accountId, usage)],
];

// The states follow one another in one database.
describe.each([
  ["never analysed", async () => {}],
  [
    "analysed before this account was there",
    async () => {
      await accountWithGroups();
      await db.pool.query("ANALYZE");
    },
  ],
] as const)("tables that were %s", (_, prepare) => {
  beforeAll(async () => {
    await prepare();
    accountId = await accountWithGroups();
  });

  test.each(lists)("%s", async (_, list) => {
    expect(Math.max(...(await rowsRead(db.pool, /\bapi_key_group\b/, list)))).toBeLessThan(MOST_ROWS);
  });
});
