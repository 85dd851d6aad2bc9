import { beforeAll, describe, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { insertGroup } from "../groups/queries";
import { newAccount } from "../testing/database";
import { openOwnDatabase } from "../testing/own-database";
import { type SentStatement, sentStatements } from "../testing/sent-statements";
import type { KeyOrder } from "./order";
import { conditions, EVERY_KEY, type KeyFilter, listKeys } from "./queries";
import { farPage, nearPage } from "./sampled-page-queries";

const by = { kind: "command_line", name: "test", address: null } as const;
const GROUP = "a".repeat(24);
const KEYS = 36_000;
const PAGE_SIZE = 100;

let db: Database;
let accountId: AccountId;

// Many keys have the same value, or none. A third is in no group, a ninth is disabled, and one of 50 is revoked. Some hundred
// spent more than 80 % of their budget, and 5 % have no limit. A clock that was ahead has begun a later month, in which none of
// them spent anything.
beforeAll(async () => {
  // A database of its own, in which the account has all keys.
  const own = await openOwnDatabase();
  ({ db } = own);
  ({ account_id: accountId } = await newAccount(db));
  await insertGroup(db, accountId, by, { id: GROUP, name: "most", description: "" });
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id, budget, daily_limit, expiry_date, spent, last_used_at,
        disabled_at, revoked_at, monthly_limit, month_spent, month, day)
      SELECT $1, 'sk-' || lpad(to_hex(n::bigint * 40503017 % 268435456), 7, '0'), 'n', CASE WHEN n % 3 > 0 THEN $2 END,
        CASE WHEN n % 10 = 3 THEN n * 0.000000001 * (1 + n % 7 / 5.0) WHEN n % 4 > 0 THEN n % 1000 / 10.0 END, CASE WHEN n % 5 > 0 THEN 5 END,
        CASE WHEN n % 2 = 0 THEN date '2200-01-01' + n % 700 END,
        CASE WHEN n > $3 / 2 THEN n * 0.000000001 ELSE 0 END, CASE WHEN n % 7 = 0 THEN now() - n * interval '1 s' END,
        CASE WHEN n % 9 = 0 THEN now() END, CASE WHEN n % 50 = 0 THEN now() END,
        CASE WHEN n % 60 = 7 THEN 1 END, 1, date_trunc('month', now()), now() + interval '40 days'
      FROM generate_series(1, $3) n`,
    [accountId, GROUP, KEYS],
  );
  // PostgreSQL must know of the keys. Otherwise no sample is taken.
  await db.pool.query("ANALYZE api_key");
  return own.remove;
});

const SHARE = "GREATEST(spent / NULLIF(budget, 0), 0 / NULLIF(daily_limit, 0), 0 / monthly_limit)::float8";
const ORDERS: [KeyOrder, string][] = [
  [{ sort: "budget", order: "asc" }, "budget ASC NULLS LAST, id ASC"],
  [{ sort: "budget", order: "desc" }, "budget DESC NULLS LAST, id DESC"],
  [{ sort: "expiry_date", order: "asc" }, "expiry_date ASC NULLS LAST, id ASC"],
  [{ sort: "last_used_at", order: "desc" }, "last_used_at DESC NULLS LAST, id DESC"],
  [{ sort: "spent", order: "asc" }, "spent ASC, id ASC"],
  [{ sort: "spent", order: "desc" }, "spent DESC, id DESC"],
  [{ sort: "share_used", order: "asc" }, `${SHARE} ASC NULLS LAST, id ASC`],
  [{ sort: "share_used", order: "desc" }, `${SHARE} DESC NULLS LAST, id DESC`],
];
const FILTERS: [Partial<KeyFilter>, string][] = [
  [{}, "revoked_at IS NULL"],
  [{ group: GROUP }, `revoked_at IS NULL AND group_id = '${GROUP}'`],
  [
    { status: "active" },
    "revoked_at IS NULL AND disabled_at IS NULL AND NOT coalesce(spent >= NULLIF(budget, 0), false)",
  ],
];

async function idsInOrder(condition: string, order: string): Promise<string[]> {
  const sql = `SELECT id FROM api_key WHERE account_id = $1 AND ${condition} ORDER BY ${order}`;
  const { rows } = await db.pool.query<{ id: string }>(sql, [accountId]);
  return rows.map(({ id }) => id);
}

describe.each(ORDERS)("pages by %o", (order, sql) => {
  test.each(FILTERS)("of %o", async (filter, condition) => {
    const wanted = await idsInOrder(condition, sql);
    const last = Math.floor(wanted.length / PAGE_SIZE);
    const sent = await sentStatements(async () => {
      for (const page of [1, 101, 102, Math.floor(last / 2), last - 101, last - 99, last + 1]) {
        const found = await listKeys(db, accountId, { ...EVERY_KEY, ...filter }, order, { page, pageSize: PAGE_SIZE });
        const ids = found.data.map(({ apikey_id }) => apikey_id);
        expect({ page, ids }).toEqual({ page, ids: wanted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) });
      }
    });
    // An index knows the keys at the ends of the order by share used.
    expect(sent.filter(takesSample).length).toBeGreaterThan(order.sort === "share_used" ? 3 : 5);
  });
});

const takesSample = ({ text }: SentStatement) => text?.includes("TABLESAMPLE");

describe.each(["asc", "desc"] as const)("pages by share used, %s", (direction) => {
  const order = { sort: "share_used", order: direction } as const;
  const pageOf = async (page: number) => {
    const { data } = await listKeys(db, accountId, EVERY_KEY, order, { page, pageSize: PAGE_SIZE });
    return data.map(({ apikey_id }) => apikey_id);
  };

  test("pages at an end are found by an index", async () => {
    const wanted = await idsInOrder("revoked_at IS NULL", `${SHARE} ${direction} NULLS LAST, id ${direction}`);
    const last = Math.floor(wanted.length / PAGE_SIZE);
    for (const page of direction === "asc" ? [last] : [1, last]) {
      const sent = await sentStatements(async () => {
        expect(await pageOf(page)).toEqual(wanted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE));
      });
      expect(sent.filter(takesSample)).toEqual([]);
    }
    // The index knows the first five pages of the keys that spent most of a limit, and some of the sixth.
    for (const page of [5, 6, 7]) {
      expect(await pageOf(page)).toEqual(wanted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE));
    }
  });

  test("while a large change is under way, limits count that are not in the columns", async () => {
    // Keys of a large change that has written its limits: the ones before still hold.
    const change = "c".repeat(24);
    const changed = `account_id = '${accountId}' AND budget IS NULL AND daily_limit = 5`;
    await db.pool.query(
      `UPDATE api_key SET limit_change_id = $1, limits_before = CASE WHEN spent = 0 THEN '{}'::jsonb
      ELSE jsonb_build_object('budget', spent * 0.9) END WHERE ${changed}`,
      [change],
    );
    await db.pool.query(
      "UPDATE account SET limit_change_id = $1, limit_change_until = now() + interval '1 hour' WHERE id = $2",
      [change, accountId],
    );
    try {
      const share = `CASE WHEN limit_change_id = '${change}' THEN CASE WHEN spent > 0 THEN (spent / (spent * 0.9))::float8 END
        ELSE ${SHARE} END`;
      const wanted = await idsInOrder("revoked_at IS NULL", `${share} ${direction} NULLS LAST, id ${direction}`);
      const last = Math.floor(wanted.length / PAGE_SIZE);
      for (const page of [1, last]) {
        expect(await pageOf(page)).toEqual(wanted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE));
      }
    } finally {
      await db.pool.query("UPDATE account SET limit_change_id = NULL, limit_change_until = NULL WHERE id = $1", [
        accountId,
      ]);
      await db.pool.query(`UPDATE api_key SET limit_change_id = NULL, limits_before = NULL WHERE ${changed}`);
    }
  });
});

describe("a page by a sample", () => {
  const order = { sort: "spent", order: "asc" } as const;
  const pageBy = (
    page: typeof farPage,
    place: { offset: number; fromEnd: boolean },
    sample: { percent: number; kept: number },
    filter: Partial<KeyFilter> = {},
  ) =>
    db.prisma.$queryRaw<{ id: string }[]>(
      page(
        accountId,
        conditions(accountId, { ...EVERY_KEY, ...filter }),
        order,
        { ...place, limit: PAGE_SIZE },
        sample,
      ),
    );

  test.each([false, true])("far from both ends is nearly always found, counted from the end: %s", async (fromEnd) => {
    const wanted = await idsInOrder("revoked_at IS NULL", "spent, id");
    if (fromEnd) wanted.reverse();
    let found = 0;
    for (let offset = 11_000; offset < 19_000; offset += 400) {
      const ids = (await pageBy(farPage, { offset, fromEnd }, { percent: 10, kept: wanted.length })).map(
        ({ id }) => id,
      );
      if (ids.length < PAGE_SIZE) continue;
      expect({ offset, ids }).toEqual({ offset, ids: wanted.slice(offset, offset + PAGE_SIZE) });
      found++;
    }
    expect(found).toBeGreaterThan(10);
  });

  test.each([false, true])("near an end is nearly always found, counted from the end: %s", async (fromEnd) => {
    const wanted = await idsInOrder("revoked_at IS NULL", "spent, id");
    if (fromEnd) wanted.reverse();
    let found = 0;
    for (let offset = 0; offset <= 10_000; offset += 1_000) {
      const page = await pageBy(nearPage, { offset, fromEnd }, { percent: 5, kept: wanted.length });
      const ids = page.map(({ id }) => id);
      if (ids.length < PAGE_SIZE) continue;
      expect({ offset, ids }).toEqual({ offset, ids: wanted.slice(offset, offset + PAGE_SIZE) });
      found++;
    }
    expect(found).toBeGreaterThan(8);
  });

  test("is empty where the sample has missed it", async () => {
    const at = { offset: 17_000, fromEnd: false };
    // With ten times as many keys, the page would be much nearer to the begin.
    expect(await pageBy(farPage, at, { percent: 10, kept: KEYS * 10 })).toEqual([]);
    // With a third of them, it would be behind the end.
    expect(await pageBy(farPage, at, { percent: 10, kept: KEYS / 3 })).toEqual([]);
    // Too few keys of the sample are exhausted to tell which key is behind the page.
    const exhausted = { status: "exhausted" } as const;
    expect(await pageBy(nearPage, { offset: 0, fromEnd: false }, { percent: 5, kept: KEYS }, exhausted)).toEqual([]);
  });
});
