import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { changeKey } from "../keys/change-queries";
import { moving } from "../keys/key-change";
import { database, newAccount, newKey } from "../testing/database";
import { listSeries } from "./queries";
import { rollUpSpend } from "./roll-up-queries";
import { type Series, type Total, USAGE_BY, type UsageBy } from "./schema";
import {
  type ExactModelTotal,
  listGroupTotals,
  listKeyTotalsAfter,
  listModelTotals,
  listTotals,
} from "./total-queries";

const by = { kind: "command_line", name: "test", address: null } as const;
const { pool, prisma } = database;
const GROUPS = 3;
/** More keys, and more models, than series are shown. */
const KEYS = 14;
const MODELS = 12;

let accountId: AccountId;
let keys: string[];
let groups: string[];

beforeEach(async () => {
  accountId = (await newAccount()).account_id;
  groups = await Promise.all(
    Array.from({ length: GROUPS }, async (_, n) => {
      const id = `${n}`.repeat(24);
      await prisma.apiKeyGroup.create({ data: { accountId, id, name: `group ${n}` } });
      return id;
    }),
  );
  keys = [];
  for (let n = 0; n < KEYS; n++) keys.push((await newKey(accountId)).id);
  await pool.query("UPDATE api_key SET last_used_at = now(), name = 'key ' || right(id, 1) WHERE account_id = $1", [
    accountId,
  ]);
});

/** Counts a capture on a day, as the statements of captures do. With a model, it has as many tokens as tenths of a yuan. */
const spend = async (key: number, daysAgo: number, amount: number, model: number | null = null) => {
  await pool.query(
    `INSERT INTO key_day AS total (account_id, key_id, day, spent, captures)
      VALUES ($1, $2, (now() AT TIME ZONE 'Asia/Shanghai')::date - $3::int, $4, 1)
      ON CONFLICT (account_id, key_id, day) DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + 1`,
    [accountId, keys[key], daysAgo, amount],
  );
  if (model === null) return;
  await pool.query(
    `INSERT INTO model_day AS total (account_id, key_id, day, model, spent, captures, input_tokens, cached_input_tokens, output_tokens)
      VALUES ($1, $2, (now() AT TIME ZONE 'Asia/Shanghai')::date - $3::int, $5, $4, 1, $6::int, $6::int / 2, 7)
      ON CONFLICT (account_id, key_id, day, model) DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + 1,
        input_tokens = total.input_tokens + EXCLUDED.input_tokens,
        cached_input_tokens = total.cached_input_tokens + EXCLUDED.cached_input_tokens,
        output_tokens = total.output_tokens + EXCLUDED.output_tokens`,
    [accountId, keys[key], daysAgo, amount, `model-${model}`, Math.round(amount * 10)],
  );
};

const move = async (key: number, group: number | null) => {
  const to = group === null ? null : { id: groups[group] ?? "", name: `group ${group}` };
  const target = { apikeyId: keys[key] ?? "", version: undefined };
  expect(await changeKey(prisma, accountId, by, target, moving(accountId, to))).toMatchObject({ ok: true });
};

const rollUp = () => rollUpSpend(database, new AbortController().signal);

const dayAgo = async (days: number): Promise<string> => {
  const { rows } = await pool.query<{ day: string }>(
    "SELECT ((now() AT TIME ZONE 'Asia/Shanghai')::date - $1::int)::text AS day",
    [days],
  );
  return rows[0]?.day ?? "";
};

const ID = { group: "key.group_id", key: "key.id", model: "key_day.model" };
const NAME = { group: "api_key_group.name", key: "key.name", model: "key_day.model" };
/** Days of keys by model: what is in no row of `model_day` has no model. */
const BY_MODEL = `(
    SELECT account_id, key_id, day, model, spent, captures, input_tokens, cached_input_tokens, output_tokens FROM model_day
    UNION ALL
    SELECT account_id, key_id, day, NULL, spent - of_models, captures - calls, NULL, NULL, NULL
    FROM key_day CROSS JOIN LATERAL (
      SELECT coalesce(sum(spent), 0) AS of_models, coalesce(sum(captures), 0) AS calls FROM model_day
      WHERE model_day.account_id = key_day.account_id AND model_day.key_id = key_day.key_id AND model_day.day = key_day.day
    ) AS with_model WHERE captures > calls
  )`;
const NO_TOKENS =
  "(SELECT *, NULL::int AS input_tokens, NULL::int AS cached_input_tokens, NULL::int AS output_tokens FROM key_day)";

/** The same by the definition: from all days of all keys, each in the group that it is in now. */
async function expectedSeries(
  range: { from: string; to: string },
  kind: UsageBy,
  groupId: string | undefined,
): Promise<{ data: Series[]; total: number }> {
  const { rows } = await pool.query<{ id: string | null; name: string | null; day: string; spent: string }>(
    `SELECT ${ID[kind]} AS id, ${NAME[kind]} AS name, key_day.day::text, sum(key_day.spent * 10)::text AS spent
      FROM ${kind === "model" ? BY_MODEL : "key_day"} AS key_day JOIN api_key key ON key.account_id = key_day.account_id AND key.id = key_day.key_id
      LEFT JOIN api_key_group ON api_key_group.account_id = key.account_id AND api_key_group.id = key.group_id
      WHERE key_day.account_id = $1 AND key_day.day BETWEEN $2 AND $3 AND ($4::text IS NULL OR key.group_id = $4)
      GROUP BY 1, 2, 3 ORDER BY 3`,
    [accountId, range.from, range.to, groupId],
  );
  // Tenths of a yuan are whole numbers, so that the sums are exact here too.
  const all = new Map<string | null, { name: string | null; days: Map<string, number> }>();
  for (const { id, name, day, spent } of rows) {
    const one = all.get(id) ?? { name, days: new Map() };
    one.days.set(day, Number(spent));
    all.set(id, one);
  }
  const sum = (days: Map<string, number>) => [...days.values()].reduce((a, b) => a + b, 0);
  const order = (id: string | null) => id ?? "\uffff";
  const sorted = [...all].sort(([a, x], [b, y]) => sum(y.days) - sum(x.days) || (order(a) < order(b) ? -1 : 1));
  const rest = new Map<string, number>();
  for (const [, { days }] of sorted.slice(10))
    for (const [day, spent] of days) rest.set(day, (rest.get(day) ?? 0) + spent);
  const seriesOf = (id: string | null, name: string | null, isRest: boolean, days: Map<string, number>): Series => ({
    id,
    name,
    is_rest: isRest,
    total: sum(days) / 10,
    days: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, spent]) => ({ day, spent: spent / 10 })),
  });
  return {
    data: [
      ...sorted.slice(0, 10).map(([id, { name, days }]) => seriesOf(id, name, false, days)),
      ...(rest.size > 0 ? [seriesOf(null, null, true, rest)] : []),
    ],
    total: [...all.values()].reduce((total, { days }) => total + sum(days), 0) / 10,
  };
}

/** What each group or key spent, by the definition, in the order of the list. */
async function expectedTotals(range: { from: string; to: string }, kind: UsageBy, groupId: string | undefined) {
  const { rows } = await pool.query<{ id: string | null } & ExactModelTotal>(
    `SELECT ${ID[kind]} AS id, ${NAME[kind]} AS name,
        trim_scale(sum(key_day.spent))::text AS spent, sum(key_day.captures)::text AS captures,
        sum(input_tokens)::text AS input_tokens, sum(cached_input_tokens)::text AS cached_input_tokens,
        sum(output_tokens)::text AS output_tokens
      FROM ${kind === "model" ? BY_MODEL : NO_TOKENS} AS key_day JOIN api_key key ON key.account_id = key_day.account_id AND key.id = key_day.key_id
      LEFT JOIN api_key_group ON api_key_group.account_id = key.account_id AND api_key_group.id = key.group_id
      WHERE key_day.account_id = $1 AND key_day.day BETWEEN $2 AND $3 AND ($4::text IS NULL OR key.group_id = $4)
      GROUP BY 1, 2 ORDER BY sum(key_day.spent) DESC, coalesce(${ID[kind]}, '')`,
    [accountId, range.from, range.to, groupId],
  );
  return rows;
}

const PAGE_SIZE = 4;

/** Compares as the database does, in the locale C. */
const compare = (a: string | null, b: string | null) => Buffer.compare(Buffer.from(a ?? ""), Buffer.from(b ?? ""));

/** The same rows from the pages of the list, and from the file. */
async function expectTotals(
  range: { from: string; to: string },
  kind: UsageBy,
  groupId: string | undefined,
): Promise<void> {
  const expected = await expectedTotals(range, kind, groupId);
  const filter = { range, by: kind, groupId, search: undefined };
  const order = { sort: "spent", order: "desc" } as const;
  const listed = [];
  for (let page = 1; page === 1 || listed.length === (page - 1) * PAGE_SIZE; page++) {
    const found = await listTotals(database, accountId, filter, order, { page, pageSize: PAGE_SIZE });
    expect(found).toMatchObject({
      total: expected.length,
      captures: expected.reduce((sum, { captures }) => sum + Number(captures), 0),
    });
    expect(found.spent).toBeCloseTo(expected.reduce((sum, { spent }) => sum + Number(spent), 0));
    listed.push(...found.data);
    if (found.data.length === 0) break;
  }
  const number = (text: string | null) => (text === null ? null : Number(text));
  const spentMost = expected.toSorted((a, b) => Number(b.spent) - Number(a.spent) || compare(b.id ?? "", a.id ?? ""));
  const numbers = spentMost.map(({ id, name, ...figures }) => ({
    ...{ id, name },
    ...Object.fromEntries(Object.entries(figures).map(([column, text]) => [column, number(text)])),
  }));
  const withoutGroup = (rows: Total[]) => rows.map(({ group_id: _, group_name: __, ...row }) => row);
  expect(withoutGroup(listed)).toEqual(numbers);

  if (kind === "key") {
    // By name, and by a search that every key has, keys are found in other ways.
    const captures = expected.reduce((sum, each) => sum + Number(each.captures), 0);
    const sums = { total: expected.length, captures };
    for (const [order, sign] of [["asc", 1] as const, ["desc", -1] as const]) {
      const page = { page: 2, pageSize: PAGE_SIZE };
      const found = await listTotals(database, accountId, filter, { sort: "name", order }, page);
      const named = numbers.toSorted((a, b) => sign * (compare(a.name, b.name) || compare(a.id, b.id)));
      expect(found).toMatchObject(sums);
      expect(withoutGroup(found.data)).toEqual(named.slice(PAGE_SIZE, 2 * PAGE_SIZE));
    }
    const all = { page: 1, pageSize: KEYS };
    const found = await listTotals(database, accountId, { ...filter, search: "SK-" }, order, all);
    expect(found).toMatchObject(sums);
    expect(withoutGroup(found.data)).toEqual(numbers);
  }
  if (kind === "model") {
    const filed = await listModelTotals(database, accountId, range, groupId);
    expect(filed).toEqual(expected.map(({ id: _, ...row }) => row));
    return;
  }
  const filed = [];
  if (kind === "group") filed.push(...(await listGroupTotals(database, accountId, range, groupId)));
  else {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const part = await listKeyTotalsAfter(database, accountId, { range, groupId, after }, 5);
      filed.push(...part.data);
      after = part.last;
    }
  }
  const byId = (a: { id: string | null }, b: { id: string | null }) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1);
  const rows = filed.map(({ group_id: _, group_name: __, ...row }) => row);
  const inFile = expected.map(({ id, name, spent, captures }) => ({ id, name, spent, captures }));
  expect(rows.toSorted(byId)).toEqual(inFile.toSorted(byId));
}

async function expectExact(): Promise<void> {
  for (const [first, last] of [
    [0, 0],
    [6, 0],
    [60, 1],
    [200, 0],
    [44, 11],
  ] as const) {
    const range = { from: await dayAgo(first), to: await dayAgo(last) };
    for (const kind of USAGE_BY) {
      for (const groupId of [undefined, groups[0]]) {
        const found = await listSeries(database, accountId, { range, by: kind, groupId });
        expect({ ...found, kind, range }).toEqual({ ...(await expectedSeries(range, kind, groupId)), kind, range });
        if (first > 7) await expectTotals(range, kind, groupId);
      }
    }
  }
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        step: fc.constant("spend" as const),
        key: fc.nat(KEYS - 1),
        // Whole tenths, and 0: a capture of nothing is a capture.
        tenths: fc.integer({ min: 0, max: 500 }),
        daysAgo: fc.oneof(fc.nat(3), fc.nat(199)),
        model: fc.option(fc.nat(MODELS - 1)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant("move" as const),
        key: fc.nat(KEYS - 1),
        group: fc.option(fc.nat(GROUPS - 1)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant("roll up" as const) }) },
  ),
  { minLength: 30, maxLength: 90 },
);

test("usage is exact after any captures, moves and roll-ups, in any order", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const table of ["key_day", "model_day", "spend_span", "model_span", "rolled_key", "moved_key"]) {
        await pool.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
      }
      for (const one of taken) {
        if (one.step === "spend") await spend(one.key, one.daysAgo, one.tenths / 10, one.model);
        else if (one.step === "move") await move(one.key, one.group);
        else await rollUp();
      }
      await expectExact();
      await rollUp();
      await expectExact();
    }),
    { numRuns: 8 },
  );
});

test("totals are searched and sorted; keys in no group come last by name", async () => {
  await spend(0, 0, 1);
  await spend(0, 0, 1);
  await spend(1, 3, 5);
  await spend(2, 3, 0, 4);
  await move(0, 1);
  await move(1, 0);
  await rollUp();
  const range = { from: await dayAgo(6), to: await dayAgo(0) };
  const list = async (by: UsageBy, change: object) => {
    const { search, sort = "spent", order = "desc" } = change as { search?: string; sort?: "name"; order?: "asc" };
    const filter = { range, by, groupId: undefined, search };
    const found = await listTotals(database, accountId, filter, { sort, order }, { page: 1, pageSize: 50 });
    return found.data.map(({ name, group_name, spent, captures }) => [name, group_name, spent, captures]);
  };
  const none = [null, null, 0, 1];
  const [first, second] = [
    ["group 0", null, 5, 1],
    ["group 1", null, 2, 2],
  ];
  expect(await list("group", {})).toEqual([first, second, none]);
  expect(await list("group", { sort: "captures" })).toEqual([second, first, none]);
  expect(await list("group", { sort: "name" })).toEqual([second, first, none]);
  expect(await list("group", { sort: "name", order: "asc" })).toEqual([first, second, none]);
  expect(await list("group", { search: "GROUP 1" })).toEqual([second]);
  const [{ name } = { name: "" }] = await prisma.apiKey.findMany({ where: { accountId, id: keys[1] ?? "" } });
  expect(await list("key", { search: keys[1] })).toEqual([[name, "group 0", 5, 1]]);
  // What a revoked key spent stays.
  await prisma.apiKey.update({
    where: { accountId_id: { accountId, id: keys[1] ?? "" } },
    data: { revokedAt: new Date() },
  });
  expect(await list("key", { sort: "name" })).toHaveLength(3);
  expect(await list("key", { sort: "name" })).toContainEqual([name, "group 0", 5, 1]);
  expect(await list("model", { sort: "name", order: "asc" })).toEqual([
    ["model-4", null, 0, 1],
    [null, null, 7, 3],
  ]);
  expect(await list("model", { search: "MODEL-4" })).toEqual([["model-4", null, 0, 1]]);
  expect(await list("model", { search: "model-5" })).toEqual([]);
  const beyond = await listTotals(
    database,
    accountId,
    { range, by: "key", groupId: undefined, search: undefined },
    { sort: "spent", order: "desc" },
    { page: 9, pageSize: 50 },
  );
  const tokens = { input_tokens: null, cached_input_tokens: null, output_tokens: null };
  expect(beyond).toEqual({ data: [], total: 3, spent: 7, captures: 4, ...tokens });
});

test("a roll-up leaves nothing but the days that are not over", async () => {
  await spend(0, 0, 1);
  await spend(0, 1, 2);
  await spend(1, 40, 3);
  await rollUp();
  const { rows } = await pool.query(
    "SELECT key_id, spent::float8, is_rolled FROM key_day WHERE account_id = $1 ORDER BY spent",
    [accountId],
  );
  expect(rows).toEqual([
    { key_id: keys[0], spent: 1, is_rolled: false },
    { key_id: keys[0], spent: 2, is_rolled: true },
    { key_id: keys[1], spent: 3, is_rolled: true },
  ]);
});

test("a move that is not committed while the days are rolled up is counted afterwards", async () => {
  await move(0, 1);
  await spend(0, 5, 4, 1);
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("UPDATE api_key SET group_id = $3 WHERE account_id = $1 AND id = $2", [
      accountId,
      keys[0],
      groups[2],
    ]);
    await rollUp();
    await client.query("COMMIT");
  } finally {
    client.release();
  }
  await expectExact();
  await rollUp();
  await expectExact();
});

test("roll-ups at the same time count each day once", async () => {
  for (let daysAgo = 1; daysAgo < 30; daysAgo++) await spend(daysAgo % KEYS, daysAgo, daysAgo, daysAgo % MODELS);
  await Promise.all([rollUp(), rollUp(), rollUp()]);
  await rollUp();
  await expectExact();
});

test("what a key spent before its first roll-up counts once in the group that it moved to", async () => {
  await spend(0, 0, 1.5);
  await move(0, 1);
  const range = { from: await dayAgo(29), to: await dayAgo(0) };
  const filter = { range, by: "key", groupId: groups[1], search: undefined } as const;
  const page = { page: 1, pageSize: 10 };
  const found = await listTotals(database, accountId, filter, { sort: "spent", order: "desc" }, page);
  expect([found.total, found.spent, found.captures]).toEqual([1, 1.5, 1]);
  expect(await listSeries(database, accountId, filter)).toMatchObject({ total: 1.5, data: [{ total: 1.5 }] });
});

/** Keys that spent nothing, with three names. */
const addOthers = (number: number) =>
  pool.query(
    `INSERT INTO api_key (account_id, id, name, revoked_at)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'other ' || n % 3, CASE WHEN n % 7 = 0 THEN now() END FROM generate_series(1, $2) n`,
    [accountId, number],
  );

test("many keys that spent are listed by name", async () => {
  await spend(0, 2, 4);
  await addOthers(10_000);
  await pool.query(
    `INSERT INTO key_day (account_id, key_id, day, spent, captures)
      SELECT account_id, id, (now() AT TIME ZONE 'Asia/Shanghai')::date, 1, 1 FROM api_key WHERE account_id = $1 AND name LIKE 'other%'`,
    [accountId],
  );
  const range = { from: await dayAgo(2), to: await dayAgo(0) };
  const filter = { range, by: "key", groupId: undefined, search: undefined } as const;
  for (const order of ["asc", "desc"] as const) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM api_key WHERE account_id = $1 AND (name LIKE 'other%' OR id = $2) ORDER BY name ${order}, id ${order}`,
      [accountId, keys[0]],
    );
    for (const page of [1, 51, 101]) {
      const found = await listTotals(database, accountId, filter, { sort: "name", order }, { page, pageSize: 100 });
      const wanted = rows.slice((page - 1) * 100, page * 100).map(({ id }) => id);
      expect({ page, ids: found.data.map(({ id }) => id) }).toEqual({ page, ids: wanted });
      expect([found.total, found.spent]).toEqual([10_001, 10_004]);
    }
  }
});

test("a search that many keys have finds those that spent", async () => {
  for (let daysAgo = 0; daysAgo < 40; daysAgo++) await spend(daysAgo % KEYS, daysAgo, 1 + daysAgo);
  await move(0, 1);
  await move(1, 1);
  await rollUp();
  await spend(2, 0, 3);
  // So many other keys that a text of their ids has more keys than are looked up one by one.
  await addOthers(20_001);
  const range = { from: await dayAgo(35), to: await dayAgo(0) };
  const page = { page: 1, pageSize: 5 };
  for (const groupId of [undefined, groups[1]]) {
    for (const order of [{ sort: "spent", order: "desc" } as const, { sort: "name", order: "asc" } as const]) {
      const list = (search?: string) =>
        listTotals(database, accountId, { range, by: "key", groupId, search }, order, page);
      const all = await list();
      expect(all.data).toHaveLength(groupId === undefined ? 5 : 2);
      expect(await list("sk-")).toEqual(all);
      // The others have this text too, and one of those that spent.
      await pool.query("UPDATE api_key SET name = 'another' WHERE account_id = $1 AND id = $2", [accountId, keys[1]]);
      expect((await list("other")).data.map(({ id }) => id)).toEqual([keys[1]]);
      await pool.query("UPDATE api_key SET name = 'key ' || right(id, 1) WHERE account_id = $1 AND id = $2", [
        accountId,
        keys[1],
      ]);
    }
  }
});
