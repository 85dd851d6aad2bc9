import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { changeKey, moving } from "../keys/change-queries";
import { database, newAccount, newKey } from "../testing/database";
import { listSeries } from "./queries";
import { rollUpSpend } from "./roll-up-queries";
import type { Series } from "./schema";

const by = { kind: "command_line", name: "test", address: null } as const;
const { pool, prisma } = database;
const GROUPS = 3;
/** More keys than series are shown. */
const KEYS = 14;

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
  await pool.query("UPDATE api_key SET last_used_at = now() WHERE account_id = $1", [accountId]);
});

/** Counts a capture on a day, as the statement of captures does. */
const spend = (key: number, daysAgo: number, amount: number) =>
  pool.query(
    `INSERT INTO key_day AS total (account_id, key_id, day, spent, captures)
      VALUES ($1, $2, (now() AT TIME ZONE 'Asia/Shanghai')::date - $3::int, $4, 1)
      ON CONFLICT (account_id, key_id, day) DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + 1`,
    [accountId, keys[key], daysAgo, amount],
  );

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

/** The same by the definition: from all days of all keys, each in the group that it is in now. */
async function expectedSeries(
  range: { from: string; to: string },
  kind: "group" | "key",
  groupId: string | undefined,
): Promise<{ data: Series[]; total: number }> {
  const { rows } = await pool.query<{ id: string | null; name: string | null; day: string; spent: string }>(
    `SELECT ${kind === "group" ? "key.group_id" : "key.id"} AS id, ${kind === "group" ? "api_key_group.name" : "key.name"} AS name,
        key_day.day::text, sum(key_day.spent * 10)::text AS spent
      FROM key_day JOIN api_key key ON key.account_id = key_day.account_id AND key.id = key_day.key_id
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

async function expectExact(): Promise<void> {
  for (const [first, last] of [
    [0, 0],
    [6, 0],
    [60, 1],
    [200, 0],
    [44, 11],
  ] as const) {
    const range = { from: await dayAgo(first), to: await dayAgo(last) };
    for (const kind of ["group", "key"] as const) {
      for (const groupId of [undefined, groups[0]]) {
        const found = await listSeries(database, accountId, { range, by: kind, groupId });
        expect({ ...found, kind, range }).toEqual({ ...(await expectedSeries(range, kind, groupId)), kind, range });
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
      await pool.query("DELETE FROM key_day WHERE account_id = $1", [accountId]);
      for (const table of ["spend_span", "rolled_key", "moved_key"]) {
        await pool.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
      }
      for (const one of taken) {
        if (one.step === "spend") await spend(one.key, one.daysAgo, one.tenths / 10);
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
  await spend(0, 5, 4);
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
  for (let daysAgo = 1; daysAgo < 30; daysAgo++) await spend(daysAgo % KEYS, daysAgo, daysAgo);
  await Promise.all([rollUp(), rollUp(), rollUp()]);
  await rollUp();
  await expectExact();
});
