import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { insertGroup } from "../groups/queries";
import { newAccount } from "../testing/database";
import { openOwnDatabase } from "../testing/own-database";
import type { KeyOrder } from "./order";
import { conditions, type KeyFilter, listKeys } from "./queries";
import { farPage, nearPage } from "./sampled-page-queries";

const by = { kind: "command_line", name: "test", address: null } as const;
const NO_FILTER: KeyFilter = { search: undefined, group: undefined, status: undefined, look: undefined };
const GROUP = "a".repeat(24);
const KEYS = 36_000;
const PAGE_SIZE = 100;

let own: Awaited<ReturnType<typeof openOwnDatabase>>;
let db: Database;
let accountId: AccountId;

// Many keys have the same value, or none. A third is in no group, a ninth is disabled, and one of 50 is revoked.
beforeAll(async () => {
  // A database of its own, in which the account has all keys.
  own = await openOwnDatabase();
  ({ db } = own);
  ({ account_id: accountId } = await newAccount(db));
  await insertGroup(db, accountId, by, { id: GROUP, name: "most", description: "" });
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id, budget, daily_limit, expiry_date, spent, last_used_at,
        disabled_at, revoked_at)
      SELECT $1, 'sk-' || lpad(to_hex(n::bigint * 40503017 % 268435456), 7, '0'), 'n', CASE WHEN n % 3 > 0 THEN $2 END,
        CASE WHEN n % 4 > 0 THEN n % 1000 / 10.0 END, CASE WHEN n % 5 > 0 THEN 5 END,
        CASE WHEN n % 2 = 0 THEN date '2200-01-01' + n % 700 END,
        CASE WHEN n > $3 / 2 THEN n * 0.000000001 ELSE 0 END, CASE WHEN n % 7 = 0 THEN now() - n * interval '1 s' END,
        CASE WHEN n % 9 = 0 THEN now() END, CASE WHEN n % 50 = 0 THEN now() END
      FROM generate_series(1, $3) n`,
    [accountId, GROUP, KEYS],
  );
  // PostgreSQL must know of the keys. Otherwise no sample is taken.
  await db.pool.query("ANALYZE api_key");
});
afterAll(() => own?.remove());

const ORDERS: [KeyOrder, string][] = [
  [{ sort: "budget", order: "asc" }, "budget ASC NULLS LAST, id ASC"],
  [{ sort: "budget", order: "desc" }, "budget DESC NULLS LAST, id DESC"],
  [{ sort: "expiry_date", order: "asc" }, "expiry_date ASC NULLS LAST, id ASC"],
  [{ sort: "last_used_at", order: "desc" }, "last_used_at DESC NULLS LAST, id DESC"],
  [{ sort: "spent", order: "asc" }, "spent ASC, id ASC"],
  [{ sort: "spent", order: "desc" }, "spent DESC, id DESC"],
  [
    { sort: "share_used", order: "desc" },
    "GREATEST(spent / NULLIF(budget, 0), 0 / NULLIF(daily_limit, 0))::float8 DESC NULLS LAST, id DESC",
  ],
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
    const query = vi.spyOn(Client.prototype, "query");
    const wanted = await idsInOrder(condition, sql);
    const last = Math.floor(wanted.length / PAGE_SIZE);
    for (const page of [1, 101, 102, Math.floor(last / 2), last - 101, last - 99, last + 1]) {
      const found = await listKeys(db, accountId, { ...NO_FILTER, ...filter }, order, { page, pageSize: PAGE_SIZE });
      const ids = found.data.map(({ apikey_id }) => apikey_id);
      expect({ page, ids }).toEqual({ page, ids: wanted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) });
    }
    const sent = query.mock.calls.map(([config]) => (config as unknown as { text?: string }).text ?? "");
    query.mockRestore();
    expect(sent.filter((text) => text.includes("TABLESAMPLE")).length).toBeGreaterThan(5);
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
        conditions(accountId, { ...NO_FILTER, ...filter }),
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
