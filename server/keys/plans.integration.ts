import { beforeAll, describe, expect, test } from "vitest";
import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { EVERY_KEY, type KeyFilter, listKeys, listKeysAfter } from "./queries";
import { KEY_LOOKS, KEY_SORTS, KEY_STATUSES } from "./schema";
import { hasText } from "./search-queries";

// A list of keys must handle each key a few times, whatever PostgreSQL believes of the tables. The look for keys that differ from
// their group compared each key with each group where the account was not known to the statistics: 1,400,000 rows for 4,000
// keys and 300 groups. Rows and pages are counted here, not seconds.

const KEYS = 2_000;
const GROUPS = Array.from({ length: 200 }, (_, n) => String(n).padStart(24, "a"));
const MOST_ROWS = 20 * KEYS;
/** A group has ten keys. */
const MOST_ROWS_OF_GROUP = 600;

/** Of so many keys, few are of a list that an index finds. */
const KEYS_BESIDE_FEW = 10_000;
const MOST_ROWS_OF_FEW = KEYS_BESIDE_FEW / 5;

let db: Database;
let accountId: AccountId;
let accountOfFew: AccountId;

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  return own.remove;
});

/** An account whose keys are in many groups, each with a default that some of its keys differ from. */
async function accountWithKeys(): Promise<AccountId> {
  const { account_id: id } = await newAccount(db);
  await db.pool.query(
    `INSERT INTO api_key_group (account_id, id, name, default_daily_limit)
      SELECT $1, id, 'group ' || id, 5 FROM unnest($2::text[]) AS id`,
    [id, GROUPS],
  );
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id, budget, daily_limit, spent, last_used_at, expiry_date, disabled_at, revoked_at)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n, CASE WHEN n % 20 > 0 THEN ($2::text[])[1 + n % 200] END,
        CASE WHEN n % 3 = 0 THEN 100 END, CASE WHEN n % 5 = 0 THEN 5 END, n % 120, now() - n % 50 * interval '1 day',
        CASE WHEN n % 7 = 0 THEN current_date + n % 60 - 20 END,
        CASE WHEN n % 17 = 0 THEN now() END, CASE WHEN n % 19 = 0 THEN now() END
      FROM generate_series(1, ${KEYS}) AS n`,
    [id, GROUPS],
  );
  return id;
}

/** An account where 50 of many keys are at a limit, 50 have expired, and 50 expire soon. */
async function accountWithFew(): Promise<AccountId> {
  const { account_id: id } = await newAccount(db);
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name, budget, spent, expiry_date)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'key ' || n, 100, CASE WHEN n <= 50 THEN 100 ELSE 1 END,
        current_date + CASE WHEN n BETWEEN 51 AND 100 THEN -3 WHEN n BETWEEN 101 AND 150 THEN 3 ELSE 300 END
      FROM generate_series(1, ${KEYS_BESIDE_FEW}) n`,
    [id],
  );
  return id;
}

const ofGroup: KeyFilter = { ...EVERY_KEY, group: GROUPS[0] };
const filters: KeyFilter[] = [
  EVERY_KEY,
  ...KEY_STATUSES.map((status) => ({ ...EVERY_KEY, status })),
  ...KEY_LOOKS.map((look) => ({ ...EVERY_KEY, look })),
  ...["key 1", "9", "none of them"].map((search) => ({ ...EVERY_KEY, search })),
  ofGroup,
  { ...EVERY_KEY, group: "none" },
  { ...EVERY_KEY, group: "none", status: "active", look: "differs_from_group" },
  { ...EVERY_KEY, search: "key 1", look: "differs_from_group" },
];

/** Of these lists, an index finds the keys. */
const ofFew: KeyFilter[] = [
  { ...EVERY_KEY, status: "exhausted" },
  { ...EVERY_KEY, status: "expired" },
  { ...EVERY_KEY, look: "over_80" },
  { ...EVERY_KEY, look: "expiring_7_days" },
];

// The states follow one another in one database.
describe.each([
  ["never analysed", async () => {}],
  [
    "analysed before this account was there",
    async () => {
      await accountWithKeys();
      await accountWithFew();
      await db.pool.query("ANALYZE");
    },
  ],
  ["analysed", undefined],
] as const)("tables that were %s", (_, prepare) => {
  beforeAll(async () => {
    await prepare?.();
    if (prepare) {
      accountId = await accountWithKeys();
      accountOfFew = await accountWithFew();
    } else await db.pool.query("ANALYZE");
  });

  test.each(KEY_SORTS)("those that an index finds, by %s", async (sort) => {
    for (const filter of ofFew) {
      const list = () => listKeys(db, accountOfFew, filter, { sort, order: "desc" }, { page: 1, pageSize: 20 });
      expect(await list()).toMatchObject({ total: 50, isTotalExact: true });
      const rows = Math.max(...(await rowsRead(db.pool, /FROM api_key\b/, list)));
      expect({ filter, isFew: rows < MOST_ROWS_OF_FEW }, `${rows} rows`).toEqual({ filter, isFew: true });
    }
  });

  test.each(KEY_SORTS)("by %s", async (sort) => {
    const order = { sort, order: "desc" } as const;
    for (const filter of sort === "created_at" || sort === "share_used" ? filters : [EVERY_KEY]) {
      for (const list of [
        () => listKeys(db, accountId, filter, order, { page: 2, pageSize: 50 }),
        () => listKeysAfter(db, accountId, filter, order, undefined, 500),
      ]) {
        const rows = Math.max(...(await rowsRead(db.pool, /FROM api_key\b/, list)));
        const most = filter === ofGroup ? MOST_ROWS_OF_GROUP : MOST_ROWS;
        expect({ filter, isFew: rows < most }, `${rows} rows`).toEqual({ filter, isFew: true });
      }
    }
  });
});

test.each([
  ["qx", false],
  ["==", false],
  ["crawler", true],
  ["-77", true],
])("whether the index of trigrams finds the keys with %j: %s", async (search, isFound) => {
  const found = Prisma.sql`EXPLAIN SELECT FROM api_key key WHERE ${Prisma.join(hasText(search), " AND ")}`;
  const [, plan] = await db.prisma.$transaction([
    db.prisma.$executeRaw`SET LOCAL enable_seqscan = off`,
    db.prisma.$queryRaw<{ "QUERY PLAN": string }[]>(found),
  ]);
  expect(plan.some((line) => line["QUERY PLAN"].includes("api_key_search"))).toBe(isFound);
});
