import { Client } from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import { createAccount } from "../auth/accounts";
import type { Database } from "../db/client";
import { Pipeline } from "../db/pipeline";
import { addKeyCountChanges } from "../groups/count-queries";
import { database } from "../testing/database";
import { openOwnDatabase } from "../testing/own-database";
import { countWaiting } from "../testing/waiting";
import { rollUpSpend } from "../usage/roll-up-queries";
import { auditBooks } from "./audit-queries";
import { Authorizer } from "./authorizer";
import { maintainPartitions } from "./ledger";
import { releaseExpired } from "./statements/release-expired";
import { deleteRefusals, deleteSettled } from "./upkeep-queries";

const RETENTION = 31;

// Each test has a database of its own, because all that use one share its partitions.
let url: string;
let db: Database;
let authorizer: Authorizer;
let accountId: AccountId;
let apikey: string;

beforeEach(async () => {
  const own = await openOwnDatabase();
  ({ db, url } = own);
  authorizer = new Authorizer(db, { maxOpenHolds: 1000 });
  const by = { kind: "command_line", name: "test", address: null } as const;
  const account = await createAccount(db, { email: "a@example.com", isProven: true, keyPrefix: "sk-", by });
  accountId = account.account_id;
  apikey = account.apikey;
  return own.remove;
});

const hold = async (): Promise<string> => {
  const prices = { inputPrice: undefined, outputPrice: undefined };
  const answer = await authorizer.authorize(
    { apikey, amount: 2, ...prices, requestId: undefined, ttlSeconds: 60 },
    accountId,
  );
  return answer.authorizationId ?? "";
};
const spend = async () => {
  const id = await hold();
  expect(await authorizer.capture(accountId, { id, amount: 1 })).toMatchObject({ ok: true, isNew: true });
};
const setPrice = (model: string) =>
  db.pool.query(
    `WITH priced AS (
        INSERT INTO operator_price (id, name, aliases, input_price, output_price)
        VALUES (repeat('0', 24), '${model}', '{}', 18, 72)
      )
      UPDATE operator_catalogue SET prices_version = prices_version + 1`,
  );
/** A call of 900 tokens, 400 of them cached, and 100 more of output: 0.0234 yuan. */
const spendOnModel = async (model: string) => {
  const { authorizationId } = await authorizer.authorize(
    { apikey, model, inputTokens: 1_000, maxOutputTokens: 500, requestId: undefined, ttlSeconds: 60 },
    accountId,
  );
  const usage = { inputTokens: 900, cachedInputTokens: 400, outputTokens: 100 };
  expect(await authorizer.capture(accountId, { id: authorizationId ?? "", usage })).toMatchObject({ ok: true });
};
const partitions = async (): Promise<string[]> => {
  const { rows } = await db.pool.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ledger'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => name);
};
const rowsIn = async (table: string): Promise<number> =>
  (await db.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
/** The name of the partition of a day, counted from today in UTC. */
const named = (days: number) =>
  `ledger_${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "")}`;
const addPartition = async (days: number) => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  await db.pool.query(
    `CREATE TABLE ${named(days)} PARTITION OF ledger FOR VALUES FROM ('${day(days)}') TO ('${day(days + 1)}')`,
  );
};

describe("partitions", () => {
  test("are made for today and seven days ahead; captures go to that of today", async () => {
    await maintainPartitions(db, RETENTION);
    expect(await partitions()).toEqual([...Array.from({ length: 8 }, (_, i) => named(i)), "ledger_other"]);
    await spend();
    expect([await rowsIn(named(0)), await rowsIn("ledger_other")]).toEqual([1, 0]);
    await maintainPartitions(db, RETENTION);
    expect(await partitions()).toHaveLength(9);
  });

  test("leave no bytes empty between the columns of a capture", async () => {
    await maintainPartitions(db, RETENTION);
    await spend();
    const { rows } = await db.pool.query(`SELECT pg_column_size(line) AS bytes FROM ${named(0)} AS line`);
    // With the pointers to them, 65 such rows fit on a page: 126 bytes each.
    expect(rows).toEqual([{ bytes: expect.toSatisfy((bytes) => bytes <= 120) }]);
    await setPrice("small");
    await spendOnModel("small");
    const { rows: found } = await db.pool.query(
      `SELECT account_id, amount::float8, model, input_tokens, cached_input_tokens, output_tokens, overrun, late
        FROM ledger WHERE model IS NOT NULL`,
    );
    const tokens = { input_tokens: 900, cached_input_tokens: 400, output_tokens: 100 };
    expect(found).toEqual([
      { account_id: accountId, amount: 0.0234, model: "small", ...tokens, overrun: false, late: false },
    ]);
  });

  test("a day without one goes to the last one, and stays there when the others are made", async () => {
    await spend();
    expect(await rowsIn("ledger_other")).toBe(1);
    await maintainPartitions(db, RETENTION);
    expect(await partitions()).toEqual([...Array.from({ length: 7 }, (_, i) => named(i + 1)), "ledger_other"]);
    await spend();
    expect([await rowsIn("ledger_other"), await rowsIn("ledger")]).toEqual([2, 2]);
  });

  test("a capture that waits while that of its day is made goes there", async () => {
    const id = await hold();
    const maker = new Client({ connectionString: url });
    await maker.connect();
    await maker.query("BEGIN");
    await maker.query("SELECT make_ledger_partition((now() AT TIME ZONE 'UTC')::date)");
    const captured = authorizer.capture(accountId, { id, amount: 1 });
    await expect.poll(() => countWaiting(database.pool, maker)).toBe(1);
    await maker.query("COMMIT");
    await maker.end();
    expect(await captured).toMatchObject({ ok: true, isNew: true });
    expect([await rowsIn(named(0)), await rowsIn("ledger_other")]).toEqual([1, 0]);
  });

  test("are dropped after the retention, and not before; the last one is emptied when all in it is older", async () => {
    for (const days of [-RETENTION - 1, -RETENTION]) await addPartition(days);
    await db.pool.query(
      `INSERT INTO ledger (account_id, authorization_id, key_id, recorded_on, day, amount, overrun, late)
        SELECT $1, n::text, 'k', (now() AT TIME ZONE 'UTC')::date - n, now(), 1, false, false
        FROM unnest($2::int[]) n`,
      [accountId, [RETENTION, RETENTION + 1, RETENTION + 2, RETENTION + 9]],
    );
    expect(await rowsIn("ledger_other")).toBe(2);
    await maintainPartitions(db, RETENTION);
    expect((await partitions()).slice(0, 2)).toEqual([named(-RETENTION), named(0)]);
    expect([await rowsIn("ledger"), await rowsIn("ledger_other")]).toEqual([1, 0]);
  });

  test("by four processes at once: made once, no error", async () => {
    await addPartition(-RETENTION - 1);
    await Promise.all(Array.from({ length: 4 }, () => maintainPartitions(db, RETENTION)));
    expect(await partitions()).toHaveLength(9);
  });
});

test("captures go on while someone reads the ledger for long and partitions are to be made and dropped", async () => {
  await maintainPartitions(db, RETENTION);
  await addPartition(-RETENTION - 1);
  await db.pool.query(`DROP TABLE ${named(7)}`);
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await reader.query("SELECT count(*) FROM ledger");
  let isOn = true;
  const captures = (async () => {
    while (isOn) await spend();
  })();
  await expect(maintainPartitions(db, RETENTION)).rejects.toMatchObject({ code: "55P03" });
  // Nobody waits for the reader any more.
  await spend();
  await reader.query("COMMIT");
  await reader.end();
  await maintainPartitions(db, RETENTION);
  isOn = false;
  await captures;
  expect(await partitions()).toEqual([...Array.from({ length: 8 }, (_, i) => named(i)), "ledger_other"]);
});

test("what is recorded is never changed and never deleted", async () => {
  await maintainPartitions(db, RETENTION);
  await spend();
  for (const sql of ["UPDATE ledger SET amount = 0", "DELETE FROM ledger", `DELETE FROM ${named(0)}`]) {
    await expect(db.pool.query(sql)).rejects.toThrow("the ledger is append-only");
  }
  expect(await rowsIn("ledger")).toBe(1);
});

test("settled authorizations are forgotten after the retention, open ones and later ones are not", async () => {
  await maintainPartitions(db, RETENTION);
  for (let i = 0; i < 3; i++) await spend();
  const open = await hold();
  const { rows } = await db.pool.query("SELECT id FROM \"authorization\" WHERE state = 'captured' ORDER BY id LIMIT 2");
  const [old, kept] = rows.map(({ id }) => id);
  const age = async (id: string, days: number) => {
    const seconds = Math.floor(Date.now() / 1000) - days * 86_400;
    await db.pool.query(
      `UPDATE "authorization" SET id = $2 || substr(id, 9), settled_at = settled_at - make_interval(days => $3),
        created_at = created_at - make_interval(days => $3) WHERE id = $1`,
      [id, seconds.toString(16).padStart(8, "0"), days],
    );
  };
  await age(old, RETENTION + 1);
  await age(kept, RETENTION - 1);
  await age(open, RETENTION + 9);
  expect(await deleteSettled(db, RETENTION)).toBe(1);
  expect(await deleteSettled(db, RETENTION)).toBe(0);
  expect(await rowsIn('"authorization"')).toBe(3);
});

describe("a late capture of an authorization that is deleted meanwhile", () => {
  let old: string;
  /** Its hold ended before the retention. The process that captures it has to read it. */
  beforeEach(async () => {
    await maintainPartitions(db, RETENTION);
    old = Math.floor(Date.now() / 1000 - (RETENTION + 2) * 86_400)
      .toString(16)
      .padEnd(24, "0");
    await db.pool.query(
      `UPDATE "authorization" SET id = $2, expires_at = expires_at - make_interval(days => $3) WHERE id = $1`,
      [await hold(), old, RETENTION + 1],
    );
    await db.pool.query("UPDATE api_key SET held_until = now() - make_interval(days => $1)", [RETENTION + 1]);
    await releaseExpired(db.lookUpPool, { accountId, keyId: apikey.slice(0, 10) });
  });
  const capture = () => new Authorizer(db, { maxOpenHolds: 1000 }).capture(accountId, { id: old, amount: 1 });
  const expectCounted = async (isCounted: boolean) => {
    expect([await rowsIn("ledger"), await rowsIn('"authorization"')]).toEqual(isCounted ? [1, 1] : [0, 0]);
    const client = await db.pool.connect();
    const { counts, differences } = await auditBooks(client, RETENTION);
    client.release();
    expect(differences).toEqual([]);
    expect(Number(counts.spent)).toBe(isCounted ? 1 : 0);
  };

  // What it sends, one after the other: it looks up the key, locks and reads, locks what it has read, and writes.
  test.each([1, 2, 3, 4])("before its piece %d: it is counted whole, or is one of none", async (last) => {
    let pieces = 0;
    const send = Client.prototype.query as (...given: unknown[]) => unknown;
    const query = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
      if (!(given[0] instanceof Pipeline) || ++pieces !== last) return send.apply(this, given);
      return void deleteSettled(db, RETENTION).then(() => send.apply(this, given));
    } as typeof Client.prototype.query);
    const settlement = await capture();
    query.mockRestore();
    expect(pieces).toBeGreaterThanOrEqual(last);
    if (settlement.ok) expect(settlement).toMatchObject({ isNew: true, settled: { state: "captured", late: true } });
    await expectCounted(settlement.ok);
  });

  test("in a transaction that is not over: it is one of none, and waits for nobody", async () => {
    const deleter = new Client({ connectionString: url });
    await deleter.connect();
    await deleter.query("BEGIN");
    await deleter.query('DELETE FROM "authorization"');
    expect(await capture()).toMatchObject({ ok: false, reason: { code: "authorization_not_found" } });
    await deleter.query("COMMIT");
    await deleter.end();
    await expectCounted(false);
  });
});

test("single refusals are deleted after their days, of each account; their counts and later ones stay", async () => {
  const by = { kind: "command_line", name: "test", address: null } as const;
  const other = await createAccount(db, { email: "b@example.com", isProven: true, keyPrefix: "sk-", by });
  await db.pool.query("UPDATE api_key SET disabled_at = now()");
  for (const value of [apikey, apikey, other.apikey]) {
    const prices = { inputPrice: undefined, outputPrice: undefined };
    const call = { apikey: value, amount: 2, ...prices, requestId: undefined, ttlSeconds: 60 };
    expect(await authorizer.authorize(call, value === apikey ? accountId : other.account_id)).toMatchObject({
      verdict: "key_disabled",
    });
  }
  await db.pool.query(
    `UPDATE refusal SET recorded_on = recorded_on - CASE WHEN id = (SELECT max(id) FROM refusal WHERE account_id = $1)
      THEN 14 ELSE 15 END`,
    [accountId],
  );
  expect(await deleteRefusals(db, 14)).toBe(2);
  expect(await deleteRefusals(db, 14)).toBe(0);
  expect(await rowsIn("refusal")).toBe(1);
  const { rows } = await db.pool.query("SELECT count FROM refusal_day ORDER BY count");
  expect(rows).toEqual([{ count: 1 }, { count: 2 }]);
});

test("the audit compares the days by model with the ledger", async () => {
  await maintainPartitions(db, RETENTION);
  await setPrice("large");
  await spendOnModel("large");
  const client = new Client({ connectionString: url });
  await client.connect();
  const found = async (sql: string) => {
    await client.query(sql);
    const { differences } = await auditBooks(client, RETENTION);
    return differences.map(({ check, expected, found }) => [check, expected, found]);
  };
  expect(await found("SELECT 1")).toEqual([]);
  expect(await found("UPDATE model_day SET output_tokens = 99, spent = spent + 1")).toEqual([
    ["model_day.spent", "0.023400000", "1.023400000"],
    ["model_day.output_tokens", "100", "99"],
  ]);
  expect(await found("UPDATE model_day SET output_tokens = 100, spent = spent - 1, model = 'other'")).toHaveLength(10);
  const wrongUsage = `UPDATE "authorization" SET usage = jsonb_set(usage, '{output_tokens}', '7')`;
  expect(await found(`WITH back AS (UPDATE model_day SET model = 'large') ${wrongUsage}`)).toEqual([
    ["ledger", expect.stringMatching(/900 400 7 large$/), expect.stringMatching(/900 400 100 large$/)],
  ]);
  await client.end();
});

test("the audit compares totals of spans, and numbers of keys, with what they are added up from", async () => {
  await maintainPartitions(db, RETENTION);
  const group = "1".repeat(24);
  const key = apikey.slice(0, 10);
  // A day of the first zone is over in the second one, which is 25 hours ahead.
  const inZone = (zone: string) => db.pool.query("UPDATE account SET time_zone = $1", [zone]);
  await inZone("Pacific/Pago_Pago");
  await db.pool.query("INSERT INTO api_key_group (account_id, id, name) VALUES ($1, $2, 'a group')", [
    accountId,
    group,
  ]);
  await db.pool.query("UPDATE api_key SET is_default = false, group_id = $1", [group]);
  await setPrice("large");
  await spendOnModel("large");
  await spend();
  await inZone("Pacific/Kiritimati");
  expect(await rollUpSpend(db, new AbortController().signal)).toBe(2);
  const { rows: days } = await db.pool.query<{ day: string }>("SELECT day::text FROM key_day");
  const day = days[0]?.day ?? "";
  const span = (days: number) => {
    const first = Math.floor(Date.parse(day) / 86_400_000 / days) * days;
    const dayOf = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);
    return `${dayOf(first)} to ${dayOf(first + days - 1)}`;
  };

  const client = new Client({ connectionString: url });
  await client.connect();
  const differences = async () => {
    const { differences } = await auditBooks(client, RETENTION);
    return differences.map(({ check, account_id, apikey_id, group_id, of, expected, found }) => {
      expect(account_id).toBe(accountId);
      return [check, apikey_id, group_id, of, expected, found].join(", ");
    });
  };
  /** What is found after a change, which is taken back then. */
  const found = async (change: string, back: string) => {
    expect((await client.query(change)).rowCount, change).toBe(1);
    const names = await differences();
    expect((await client.query(back)).rowCount, back).toBe(1);
    return names;
  };
  const { counts } = await auditBooks(client, RETENTION);
  expect(counts).toMatchObject({ spend_spans: 8, model_spans: 6 });
  expect(await differences()).toEqual([]);

  const spanOf = (table: string, kind: string, days: number, set: string) =>
    `UPDATE ${table} SET ${set} WHERE kind = '${kind}' AND days = ${days}`;
  const brokenSpan = (table: string, kind: string, days: number, column: string) =>
    found(
      spanOf(table, kind, days, `${column} = ${column} + 1`),
      spanOf(table, kind, days, `${column} = ${column} - 1`),
    );
  const spent = "1.023400000, 2.023400000";
  expect(await brokenSpan("spend_span", "account", 1, "spent")).toEqual([`spend_span.spent, , , ${day}, ${spent}`]);
  expect(await brokenSpan("spend_span", "group", 5, "captures")).toEqual([
    `spend_span.captures, , ${group}, ${span(5)}, 2, 3`,
  ]);
  expect(await brokenSpan("spend_span", "key", 25, "spent")).toEqual([
    `spend_span.spent, ${key}, , ${span(25)}, ${spent}`,
  ]);
  expect(await brokenSpan("model_span", "account", 25, "input_tokens")).toEqual([
    `model_span.input_tokens, , , ${span(25)} large, 900, 901`,
  ]);
  expect(await brokenSpan("model_span", "group", 1, "spent")).toEqual([
    `model_span.spent, , ${group}, ${day} large, 0.023400000, 1.023400000`,
  ]);
  // A total without days, and days without a total.
  const stray = spanOf("spend_span", "key", 5, "first = first - 50");
  expect(await found(stray, spanOf("spend_span", "key", 5, "first = first + 50"))).toHaveLength(4);

  // What was rolled up of a day, in days and totals alike, so that nothing but the day itself differs.
  const rolledBy = (amount: string) => `WITH changed AS (UPDATE spend_span SET spent = spent + ${amount})
    UPDATE key_day SET rolled_spent = rolled_spent + ${amount}`;
  expect(await found(rolledBy("1"), rolledBy("-1"))).toEqual([`key_day.rolled_spent, ${key}, , ${day}, ${spent}`]);
  const tokens = (sign: string) => `WITH changed AS (UPDATE model_span SET output_tokens = output_tokens ${sign})
    UPDATE model_day SET rolled_output_tokens = rolled_output_tokens ${sign}`;
  expect(await found(tokens("+ 1"), tokens("- 1"))).toEqual([
    `model_day.rolled_output_tokens, ${key}, , ${day} large, 100, 101`,
  ]);

  const inGroup = (id: string) => `WITH spans AS (UPDATE spend_span SET subject = '${id}' WHERE kind = 'group'),
      of_models AS (UPDATE model_span SET subject = '${id}' WHERE kind = 'group')
    UPDATE rolled_key SET group_id = '${id}'`;
  expect(await found(inGroup(""), inGroup(group))).toEqual([`rolled_key.group_id, ${key}, , , ${group}, `]);

  // The counts of two rows, of which the audit adds up the changes too.
  await addKeyCountChanges(db);
  const counted = (sign: string) => `UPDATE key_count SET keys = keys ${sign} 1 WHERE group_id = '${group}'`;
  expect(await found(counted("+"), counted("-"))).toEqual([`key_count, , ${group}, , 1, 2`]);
  const change = "INSERT INTO key_count_change (account_id, group_id, keys) SELECT account_id, '', 3 FROM api_key";
  expect(await found(change, "DELETE FROM key_count_change")).toEqual(["key_count, , , , 0, 3"]);
  expect(await differences()).toEqual([]);
  await client.end();
});

test("the audit finds nothing where a part of the ledger has been dropped", async () => {
  await maintainPartitions(db, RETENTION);
  await spend();
  await db.pool.query(
    `WITH earlier AS (
        INSERT INTO key_day (account_id, key_id, day, spent, captures)
        SELECT account_id, key_id, day - 40, 5, 1 FROM key_day RETURNING spent
      ) UPDATE api_key SET spent = api_key.spent + 5 WHERE EXISTS (SELECT FROM earlier)`,
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  const { counts, differences } = await auditBooks(client, RETENTION);
  await client.end();
  expect(counts.ledger_from).not.toBe(null);
  expect(differences).toEqual([]);
});

test.each([
  ["the ledger has longer than the authorization", RETENTION, true],
  ["the ledger has no more, although it has the day after", RETENTION + 1, false],
])("the audit finds nothing where the first capture of all is one that %s", async (_, daysAgo, isInLedger) => {
  await maintainPartitions(db, RETENTION);
  await addPartition(-RETENTION);
  await spend();
  await db.pool.query(
    `WITH earlier AS (
        INSERT INTO key_day (account_id, key_id, day, spent, captures)
        SELECT account_id, id, (now() AT TIME ZONE 'UTC')::date - $1::int, 5, 1 FROM api_key RETURNING *
      ), kept AS (
        INSERT INTO ledger (account_id, authorization_id, key_id, recorded_on, day, amount, overrun, late)
        SELECT account_id, repeat('0', 24), key_id, day, day, spent, false, false FROM earlier WHERE $2
      ) UPDATE api_key SET spent = api_key.spent + 5 WHERE EXISTS (SELECT FROM earlier)`,
    [daysAgo, isInLedger],
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  const { counts, differences } = await auditBooks(client, RETENTION);
  await client.end();
  expect(differences).toEqual([]);
  expect(Date.parse(counts.ledger_from ?? "")).toBeLessThan(Date.now() - (RETENTION - 3) * 86_400_000);
});
