import { beforeAll, describe, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { today } from "../db/account-row";
import { addKeyCountChanges } from "../groups/count-queries";
import { searchGroups } from "../groups/queries";
import { WINDOWS } from "../limits/schema";
import { database, newAccount } from "../testing/database";
import { type KeyPlace, readPlace, writePlace } from "./place";
import { EVERY_KEY, type KeyFilter, listKeys, listKeysAfter } from "./queries";
import { KEY_LOOKS, KEY_SORTS, KEY_STATUSES, type KeySort } from "./schema";
import { hasLook, hasStatus, windows } from "./state";

const { pool, prisma } = database;
const GROUPS = ["a".repeat(24), "b".repeat(24), "c".repeat(24)] as const;

let accountId: AccountId;

beforeAll(async () => {
  accountId = (await newAccount()).account_id;
  for (const id of GROUPS) await prisma.apiKeyGroup.create({ data: { accountId, id, name: `group ${id[0]}` } });
  // Some keys of these groups have their defaults, and some differ from them. The third group has none.
  await pool.query(
    `UPDATE api_key_group SET default_daily_limit = 5, default_expiry_date = '2030-01-01' WHERE account_id = $1 AND id = $2`,
    [accountId, GROUPS[0]],
  );
  await pool.query(`UPDATE api_key_group SET default_monthly_limit = 0 WHERE account_id = $1 AND id = $2`, [
    accountId,
    GROUPS[1],
  ]);
  // Each column takes its values independently: unset, 0, small, large; days before, at and after today.
  await pool.query(
    `WITH today AS (SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date AS today), drawn AS (
        SELECT n, today, (ARRAY[NULL, 0, 10, 100])[1 + n % 4] AS budget, (ARRAY[NULL, 0, 5, 50])[1 + n / 4 % 4] AS daily,
          (ARRAY[NULL, 0, 7, 70])[1 + n / 16 % 4] AS monthly, (ARRAY[0, 4, 8, 9.99, 10, 60])[1 + n / 3 % 6] AS spent,
          (ARRAY[NULL, -40, -1, 0, 0, 1])[1 + n / 5 % 6] AS day_offset,
          (ARRAY[NULL, NULL, -1, 0, 1, 7, 8, 300])[1 + n / 7 % 8] AS expiry_offset
        FROM generate_series(0, 1199) n, today
      )
      INSERT INTO api_key (account_id, id, name, group_id, budget, daily_limit, monthly_limit, expiry_date, disabled_at,
        revoked_at, created_at, last_used_at, spent, day, day_spent, month, month_spent)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), (ARRAY['Crawler-', '知识库 ', 'Überblick ', '100%_', 'шлюз '])[1 + n % 5] || n % 40,
        CASE WHEN n % 4 > 0 THEN ($2::text[])[n % 4] END, budget, daily, monthly, today + expiry_offset,
        CASE WHEN n % 17 = 0 THEN now() END, CASE WHEN n % 19 = 0 THEN now() END, now() - n % 50 * interval '1 hour',
        CASE WHEN day_offset IS NOT NULL THEN now() + day_offset * interval '1 day' END,
        spent, today + day_offset, CASE WHEN day_offset IS NULL THEN 0 ELSE spent / 2 END,
        date_trunc('month', today + day_offset)::date, CASE WHEN day_offset IS NULL THEN 0 ELSE spent * 0.8 END
      FROM drawn`,
    [accountId, GROUPS],
  );
  // As the upkeep does: without statistics, PostgreSQL compares all keys with all.
  await pool.query("ANALYZE api_key, api_key_group");
});

interface PlainKey {
  id: string;
  search_text: string;
  group_id: string | null;
  is: Record<string, boolean>;
  [sort: string]: unknown;
}

/** The keys, by the day in the zone of the account: what they are follows from it, and from what a test changes. */
const keysOn = new Map<string, PlainKey[]>();

/** All keys with the exact condition of each status and look, asked of each key. */
async function allKeys(): Promise<PlainKey[]> {
  const { rows } = await pool.query(`SELECT ${today}::text AS day FROM account WHERE id = $1`, [accountId]);
  const { day } = rows[0];
  const keys = keysOn.get(day) ?? (await readKeys());
  keysOn.set(day, keys);
  return keys;
}

async function readKeys(): Promise<PlainKey[]> {
  const conditions = Object.entries({ ...hasStatus, ...hasLook }).map(([name, sql]) => `'${name}', (${sql})`);
  const shares = WINDOWS.map((name) => `${windows[name].spent} / ${windows[name].limit}`);
  const computed: Partial<Record<KeySort, string>> = {
    name: "key.name",
    spent_today: `${windows.daily_limit.spent}::float8`,
    spent_this_month: `${windows.monthly_limit.spent}::float8`,
    share_used: `GREATEST(${shares.join(", ")})::float8`,
  };
  const sorts = KEY_SORTS.map((name) => {
    const isTime = name.endsWith("_at") || name.endsWith("_date");
    return `${computed[name] ?? (isTime ? `extract(epoch FROM key.${name})::float8` : `key.${name}::float8`)} AS ${name}`;
  });
  const { rows } = await pool.query<PlainKey>(
    `SELECT key.id, key.search_text, key.group_id, jsonb_build_object(${conditions.join(", ")}) AS is, ${sorts.join(", ")}
      FROM api_key key CROSS JOIN (SELECT *, ${today} AS today FROM account WHERE id = $1) AS account
      WHERE key.account_id = $1`,
    [accountId],
  );
  return rows;
}

function matching(keys: PlainKey[], { search = "", group, status, look }: KeyFilter): PlainKey[] {
  return keys.filter(
    (key) =>
      (status === undefined ? !key.is.revoked : key.is[status]) &&
      (look === undefined || key.is[look]) &&
      (group === undefined || key.group_id === (group === "none" ? null : group)) &&
      key.search_text.includes(search.normalize("NFC").toUpperCase()),
  );
}

function compare(a: unknown, b: unknown): number {
  return a === b ? 0 : Number(a as string) < Number(b as string) || (typeof a === "string" && a < String(b)) ? -1 : 1;
}

function sorted(keys: PlainKey[], sort: string, order: "asc" | "desc"): string[] {
  const sign = order === "asc" ? 1 : -1;
  return keys
    .toSorted((a, b) => {
      if ((a[sort] === null) !== (b[sort] === null)) return a[sort] === null ? 1 : -1;
      return sign * (compare(a[sort], b[sort]) || compare(a.id, b.id));
    })
    .map(({ id }) => id);
}

const filters: Partial<KeyFilter>[] = [
  {},
  ...KEY_STATUSES.map((status) => ({ status })),
  ...KEY_LOOKS.map((look) => ({ look })),
  ...KEY_STATUSES.flatMap((status) => KEY_LOOKS.map((look) => ({ status, look }))),
  ...[...GROUPS, "none", "d".repeat(24)].map((group) => ({ group })),
  { group: GROUPS[0], status: "active", look: "over_80" },
  ...[
    "craw",
    "-1",
    "知识",
    "识",
    "库 1",
    "überBLICK",
    "ШЛЮЗ 2",
    "100%_3",
    "%",
    "_",
    "sk",
    "qx",
    "sk-0000",
    "nothing",
    "知nothing",
  ].map((search) => ({ search })),
  { search: "知识", status: "expired" },
];

test.each(filters)("the keys that match, and their number: %o", async (filter) => {
  const wanted = matching(await allKeys(), { ...EVERY_KEY, ...filter });
  const page = { page: 1, pageSize: 2000 };
  const found = await listKeys(database, accountId, { ...EVERY_KEY, ...filter }, { sort: "name", order: "asc" }, page);
  expect(found.data.map(({ apikey_id }) => apikey_id)).toEqual(sorted(wanted, "name", "asc"));
  expect([found.total, found.isTotalExact ?? true]).toEqual([wanted.length, true]);
  // Each key names the limits that make it exhausted, or that it is near.
  const conditions = new Map(wanted.map(({ id, is }) => [id, is]));
  for (const { apikey_id, status, blocked_by, near_limits } of found.data) {
    const isValid = status === "active" || status === "exhausted";
    if (isValid) expect([apikey_id, blocked_by.length > 0]).toEqual([apikey_id, status === "exhausted"]);
    const isOver80 = blocked_by.length + near_limits.length > 0;
    expect([apikey_id, isOver80]).toEqual([apikey_id, conditions.get(apikey_id)?.over_80]);
  }
});

test("among the keys there are some of each status and look", async () => {
  const keys = await allKeys();
  for (const name of [...KEY_STATUSES, ...KEY_LOOKS]) {
    expect(keys.filter(({ is }) => is[name]).length, name).toBeGreaterThan(5);
  }
});

// All keys have the first text, some the second, and none the third.
describe.each(["sk", "-1", "qx"])("every page of a search that reads all keys: %s", (search) => {
  test.each(["created_at", "name", "budget", "share_used"] as const)("by %s", async (sort) => {
    const filter = { ...EVERY_KEY, search };
    const wanted = sorted(matching(await allKeys(), filter), sort, "desc");
    const pageSize = 99;
    for (let page = 1; page <= Math.ceil(wanted.length / pageSize) + 1; page++) {
      const found = await listKeys(database, accountId, filter, { sort, order: "desc" }, { page, pageSize });
      const ids = found.data.map(({ apikey_id }) => apikey_id);
      expect({ page, ids }).toEqual({ page, ids: wanted.slice((page - 1) * pageSize, page * pageSize) });
      expect(found.total).toBe(wanted.length);
    }
  });
});

describe("every page of every order, and a walk through all keys", () => {
  const orders = KEY_SORTS.flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));

  test.each(orders)("$sort $order", async ({ sort, order }) => {
    const wanted = sorted(matching(await allKeys(), EVERY_KEY), sort, order);
    const pageSize = 99;
    const pages = Math.ceil(wanted.length / pageSize);
    for (let page = 1; page <= pages + 2; page++) {
      const found = await listKeys(database, accountId, EVERY_KEY, { sort, order }, { page, pageSize });
      const ids = found.data.map(({ apikey_id }) => apikey_id);
      expect({ page, ids }).toEqual({ page, ids: wanted.slice((page - 1) * pageSize, page * pageSize) });
    }
    const walked: string[] = [];
    let after: KeyPlace | undefined;
    do {
      const { data, last } = await listKeysAfter(database, accountId, EVERY_KEY, { sort, order }, after, 223);
      walked.push(...data.map(({ apikey_id }) => apikey_id));
      after = last && readPlace(sort, writePlace(sort, last));
    } while (after !== undefined);
    expect(walked).toEqual(wanted);
  });
});

test("the order is exact behind more than 10,000 keys, where amounts of 19 digits differ in the last", async () => {
  const { account_id: of } = await newAccount();
  await pool.query(
    `INSERT INTO api_key (account_id, id, name, spent)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n', 1000000000 + n % 7 * 0.000000001 + n % 5 FROM generate_series(1, 22000) n`,
    [of],
  );
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM api_key WHERE account_id = $1 ORDER BY spent, id", [
    of,
  ]);
  for (const page of [1, 105, 120, 220]) {
    const order = { sort: "spent", order: "asc" } as const;
    const { data } = await listKeys(database, of, EVERY_KEY, order, { page, pageSize: 100 });
    const wanted = rows.slice((page - 1) * 100, page * 100).map(({ id }) => id);
    expect({ page, ids: data.map(({ apikey_id }) => apikey_id) }).toEqual({ page, ids: wanted });
  }
});

describe("the number of keys of a group", () => {
  const expectCounts = async () => {
    const { rows } = await pool.query<{ group_id: string | null; count: number }>(
      "SELECT group_id, count(*)::int FROM api_key WHERE account_id = $1 AND revoked_at IS NULL GROUP BY 1",
      [accountId],
    );
    const counts = new Map(rows.map(({ group_id, count }) => [group_id, count]));
    const query = { search: undefined, sort: "apikey_count", order: "desc" } as const;
    const groups = await searchGroups(database, accountId, query, { page: 1, pageSize: 10 });
    const byCount = GROUPS.map((id): [string, number] => [id, counts.get(id) ?? 0]);
    byCount.sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1));
    expect(groups.data.map(({ id, apikey_count }) => [id, apikey_count])).toEqual(byCount);
    for (const group of [...GROUPS, "none"]) {
      const order = { sort: "name", order: "asc" } as const;
      const found = await listKeys(database, accountId, { ...EVERY_KEY, group }, order, { page: 1, pageSize: 1 });
      expect(found.total).toBe(counts.get(group === "none" ? null : group) ?? 0);
    }
  };
  const change = (sql: string) => {
    keysOn.clear();
    return pool.query(sql, [accountId]);
  };

  test("is exact after each change, before and after the changes are added up", async () => {
    await expectCounts();
    await addKeyCountChanges(database);
    await expectCounts();
    const some = "account_id = $1 AND NOT is_default AND right(id, 1)";
    await change(`UPDATE api_key SET group_id = '${GROUPS[2]}' WHERE ${some} = '3'`);
    await expectCounts();
    await change(`UPDATE api_key SET revoked_at = now() WHERE ${some} = '5'`);
    await expectCounts();
    await change(`UPDATE api_key SET revoked_at = NULL, group_id = NULL WHERE ${some} IN ('5', '6')`);
    await expectCounts();
    await change(`DELETE FROM api_key WHERE ${some} = '7'`);
    await expectCounts();
    await Promise.all([addKeyCountChanges(database), addKeyCountChanges(database)]);
    await expectCounts();
  });

  test("a capture writes no change of a count", async () => {
    const changes = () => change("SELECT count(*)::int FROM key_count_change WHERE account_id = $1");
    const before = await changes();
    await change("UPDATE api_key SET spent = spent + 1, last_used_at = now(), version = version WHERE account_id = $1");
    expect((await changes()).rows).toEqual(before.rows);
  });
});
