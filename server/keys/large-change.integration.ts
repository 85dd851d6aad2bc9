import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { Authorizer } from "../authorizations/authorizer";
import { openDatabase, type Transaction } from "../db/client";
import { findGroup, insertGroup } from "../groups/queries";
import { listEventKeys, listEvents } from "../history/queries";
import type { LimitChanges } from "../limits/apply";
import { Catalogues } from "../prices/catalogues";
import { database, newAccount, newKey } from "../testing/database";
import { countWaiting } from "../testing/waiting";
import { afterLargeChange, LargeChangeUnderWay } from "./change-order-queries";
import { changeKey, changeKeysOfGroup, changeKeysOfList } from "./change-queries";
import { disabling, limitsChange, moving, revoking } from "./key-change";
import {
  beginLargeChange,
  completeLargeChange,
  type Lease,
  listEnds,
  takeAbandonedChange,
  undoPart,
  writePart,
} from "./large-change-parts";
import { previewLimits } from "./preview-queries";
import { findKey, type KeyFilter, listKeys } from "./queries";
import { changeMadeBy, type NamedRequest, namedRequest, type RequestTarget } from "./repeated-request-queries";

// The parts of a large change are called one by one here, on a group of 6 keys, so that each test stands between two.

const other = openDatabase(inject("databaseUrl"));
const catalogues = new Catalogues(database);
afterAll(() => other.close());
const authorizer = new Authorizer(other, { maxOpenHolds: 1000 });

const by = { kind: "command_line", name: "test", address: null } as const;
const OLD = { budget: 100, daily_limit: 0, expiry_date: null } as const;
const NEW: LimitChanges = { budget: 10, daily_limit: 5, expiry_date: "2031-12-31" };

let accountId: AccountId;
let groupId: string;
let keys: { apikey: string; id: string }[];
let lease: Lease;
let ends: string[];

beforeEach(async () => {
  accountId = (await newAccount()).account_id;
  groupId = randomBytes(12).toString("hex");
  await insertGroup(database, accountId, by, { id: groupId, name: "Large", description: "" });
  keys = [];
  for (let n = 0; n < 6; n++) keys.push(await newKey(accountId, { budget: 100, daily_limit: 0 }));
  keys.sort((a, b) => (a.id < b.id ? -1 : 1));
  await database.pool.query("UPDATE api_key SET group_id = $1 WHERE account_id = $2 AND NOT is_default", [
    groupId,
    accountId,
  ]);
  lease = (await beginLargeChange(database, accountId, groupId, 5)) as Lease;
  ends = await listEnds(database, accountId, groupId, 2);
});

/** Some tests leave their change open. It must not look abandoned to the others when its lease is over. */
afterEach(async () => {
  await database.pool.query("UPDATE account SET limit_change_id = NULL, limit_change_until = NULL WHERE id = $1", [
    accountId,
  ]);
});

const idOf = (n: number) => keys[n]?.id ?? "";
const part = (n: number) =>
  writePart(database, lease, groupId, NEW, { after: n === 0 ? undefined : ends[n - 1], end: ends[n] });
const complete = () => completeLargeChange(database, lease, by, { groupId, after: { ...NEW } });
const undo = async () => {
  for (let after: string | undefined = ""; after !== undefined; ) after = await undoPart(database, lease, after, 2);
};
const read = (n: number) => findKey(database, accountId, idOf(n));
const events = async () => {
  const none = {
    apikeyId: undefined,
    groupId: undefined,
    actor: undefined,
    from: undefined,
    to: undefined,
    search: undefined,
  };
  const filter = { ...none, action: "key.limits_set" } as const;
  return (await listEvents(database, accountId, filter, { page: 1, pageSize: 10 })).data;
};
const hold = (n: number, amount: number) =>
  authorizer.authorize(
    {
      apikey: keys[n]?.apikey ?? "",
      amount,
      inputPrice: undefined,
      outputPrice: undefined,
      requestId: undefined,
      ttlSeconds: 600,
    },
    accountId,
  );
const expectAll = async (limits: LimitChanges, version: number) => {
  for (let n = 0; n < 6; n++) expect(await read(n)).toMatchObject({ ...limits, version });
};
/** Everything of the keys and of the history that is stored. */
const stored = async () => {
  const { rows } = await database.pool.query(
    `SELECT (SELECT json_agg(key ORDER BY id) FROM api_key key WHERE account_id = $1) AS keys,
      (SELECT json_agg(chunk) FROM event_key_chunk chunk WHERE account_id = $1) AS chunks,
      (SELECT count(*)::int FROM event WHERE account_id = $1) AS events,
      (SELECT limit_change_id FROM account WHERE id = $1) AS change`,
    [accountId],
  );
  return rows[0];
};

/** Begins `waiting` while another transaction has locked a key, does `meanwhile`, and lets go of the key. */
async function whileLocked<T>(
  n: number,
  waiting: () => Promise<T>,
  meanwhile: (holder: PoolClient) => Promise<unknown>,
): Promise<T> {
  const holder = await database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM api_key WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE", [accountId, idOf(n)]);
    const result = waiting();
    await expect.poll(() => countWaiting(database.pool, holder)).toBe(1);
    await meanwhile(holder);
    await holder.query("COMMIT");
    return await result;
  } finally {
    holder.release();
  }
}

/** What a large change does to a key and its account. */
async function beginAsOther(holder: PoolClient, n: number): Promise<void> {
  const change = "0123456789abcdef01234567";
  await holder.query(
    "UPDATE account SET limit_change_id = $2, limit_change_until = now() + interval '1 hour' WHERE id = $1",
    [accountId, change],
  );
  await holder.query(
    `UPDATE api_key SET budget = 10, limit_change_id = $3, limits_before = '{"budget": 100}', version = 2
      WHERE account_id = $1 AND id = $2`,
    [accountId, idOf(n), change],
  );
}

test("parts: the ids at their ends, and the rest", () => {
  expect(ends).toEqual([idOf(1), idOf(3), idOf(5)]);
});

test("a group of no more keys than the bound begins none", async () => {
  await undo();
  expect(await beginLargeChange(database, accountId, groupId, 6)).toBeUndefined();
});

describe("whoever looks sees all of it or nothing", () => {
  test("keys, the group, a dry run and the history, after each part and after the end", async () => {
    for (let n = 0; n < 4; n++) {
      await part(n);
      await expectAll(OLD, 1);
      const group = await findGroup(database, accountId, groupId);
      expect(group).toMatchObject({ differing_limits: [], shared_limits: OLD });
      const { changes } = await previewLimits({ db: database, catalogues }, accountId, { groupId }, NEW);
      expect(changes.map(({ before }) => before.map(({ value }) => value))).toEqual([[100], [null], [0]]);
      expect(await events()).toEqual([]);
      const listed = await listEventKeys(database, accountId, lease.eventId, { page: 1, pageSize: 10 });
      expect(listed).toEqual({ data: [], total: 0 });
    }
    expect(await complete()).toBe(6);
    await expectAll(NEW, 2);
    expect(await findGroup(database, accountId, groupId)).toMatchObject({ differing_limits: [], shared_limits: NEW });
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      id: lease.eventId,
      group_id: groupId,
      group_name: "Large",
      key_count: 6,
      after: NEW,
    });
    const listed = await listEventKeys(database, accountId, lease.eventId, { page: 1, pageSize: 10 });
    expect(listed).toEqual({
      total: 6,
      data: keys.map(({ id }) => ({ apikey_id: id, name: "a key", before: OLD, after: {} })),
    });
  });

  test("an authorization meets the old limits of its key to the end, then the new ones", async () => {
    await part(0);
    expect((await hold(0, 60)).verdict).toBe("granted");
    expect((await hold(5, 60)).verdict).toBe("granted");
    for (let n = 1; n < 4; n++) await part(n);
    expect(await hold(0, 41)).toMatchObject({ verdict: "budget", left: { budget: 40, daily_limit: null } });
    expect((await hold(0, 40)).verdict).toBe("granted");
    await complete();
    expect(await hold(1, 6)).toMatchObject({ verdict: "daily_limit", left: { budget: 10, daily_limit: 5 } });
    expect((await hold(1, 5)).verdict).toBe("granted");
    expect(await hold(0, 1)).toMatchObject({ verdict: "budget", left: { budget: -90, daily_limit: -95 } });
  });

  test("the list of active keys follows the old limits to the end, then the new ones", async () => {
    const filter: KeyFilter = { search: undefined, group: groupId, status: "active", look: undefined };
    const active = async () => {
      const order = { sort: "created_at", order: "asc" } as const;
      const { data } = await listKeys(database, accountId, filter, order, { page: 1, pageSize: 10 });
      return data.map(({ apikey_id }) => apikey_id).sort();
    };
    await database.pool.query("UPDATE api_key SET spent = 100 WHERE account_id = $1 AND id = $2", [accountId, idOf(0)]);
    await database.pool.query("UPDATE api_key SET spent = 50 WHERE account_id = $1 AND id = $2", [accountId, idOf(1)]);
    for (let n = 0; n < 4; n++) {
      await writePart(
        database,
        lease,
        groupId,
        { budget: 1000 },
        { after: n === 0 ? undefined : ends[n - 1], end: ends[n] },
      );
      expect(await active()).toEqual([1, 2, 3, 4, 5].map(idOf));
    }
    await complete();
    expect(await active()).toEqual([0, 1, 2, 3, 4, 5].map(idOf));
  });

  test("an authorization that waited for its key meets the limits that hold when it gets it", async () => {
    await undo();
    const fromBefore = await whileLocked(
      0,
      () => hold(0, 60),
      (holder) => beginAsOther(holder, 0),
    );
    expect(fromBefore).toMatchObject({ verdict: "granted", left: { budget: 40 } });
    await database.pool.query("UPDATE account SET limit_change_id = NULL, limit_change_until = NULL WHERE id = $1", [
      accountId,
    ]);
    lease = (await beginLargeChange(database, accountId, groupId, 5)) as Lease;
    for (let n = 0; n < 4; n++) await part(n);
    const toTheEnd = await whileLocked(1, () => hold(1, 60), complete);
    expect(toTheEnd).toMatchObject({ verdict: "budget", left: { budget: 10 } });
  });

  test("a key that is created meanwhile, or is revoked before its part, is not among them", async () => {
    await part(0);
    await changeKey(database.prisma, accountId, by, { apikeyId: idOf(4), version: undefined }, revoking);
    for (let n = 1; n < 4; n++) await part(n);
    const late = await newKey(accountId, { budget: 100 });
    await database.pool.query("UPDATE api_key SET group_id = $1 WHERE account_id = $2 AND id = $3", [
      groupId,
      accountId,
      late.id,
    ]);
    expect(await complete()).toBe(5);
    expect(await read(4)).toMatchObject({ budget: 100, version: 2 });
    expect(await findKey(database, accountId, late.id)).toMatchObject({ budget: 100, version: 1 });
    expect((await events())[0]?.key_count).toBe(5);
  });
});

describe("undone", () => {
  test("everything is as it was before", async () => {
    await undo();
    const before = await stored();
    lease = (await beginLargeChange(database, accountId, groupId, 5)) as Lease;
    for (let n = 0; n < 3; n++) await part(n);
    const halfway = await stored();
    expect(halfway).not.toEqual(before);
    for (let after: string | undefined = ""; after !== undefined; ) {
      after = await undoPart(database, lease, after, 2);
      await expectAll(OLD, 1);
    }
    expect(await stored()).toEqual(before);
  });

  test("what else was done to its keys meanwhile stays", async () => {
    await part(0);
    await changeKey(database.prisma, accountId, by, { apikeyId: idOf(0), version: undefined }, disabling);
    await hold(1, 60);
    await changeKey(database.prisma, accountId, by, { apikeyId: idOf(1), version: undefined }, revoking);
    await undo();
    expect(await read(0)).toMatchObject({ ...OLD, status: "disabled", version: 2 });
    expect(await read(1)).toMatchObject({ ...OLD, status: "revoked", held: 60, version: 2 });
  });

  test.each([
    ["the lease is over", "now() - interval '1 second'"],
    ["the clock was set back", "now() + interval '1 hour'"],
  ])("by another process, when %s: the one that began it cannot go on", async (_, until) => {
    await part(0);
    expect(await takeAbandonedChange(other)).toBeUndefined();
    await database.pool.query(`UPDATE account SET limit_change_until = ${until} WHERE id = $1`, [accountId]);
    const taken = await takeAbandonedChange(other);
    expect(taken).toMatchObject({ accountId, eventId: lease.eventId });
    await expect(part(1)).rejects.toThrow("undone by another process");
    await expect(complete()).rejects.toThrow("undone by another process");
    const own = lease;
    lease = taken as Lease;
    await undo();
    lease = own;
    await expect(complete()).rejects.toThrow("undone by another process");
    await expectAll(OLD, 1);
    expect(await events()).toEqual([]);
  });
});

describe("another change of the same keys", () => {
  const one = (n: number, change = limitsChange({ budget: 7 }), version?: number) =>
    changeKey(database.prisma, accountId, by, { apikeyId: idOf(n), version }, change);
  const inTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => database.prisma.$transaction(work);

  test("of limits or of the group waits; to disable a key does not", async () => {
    await part(0);
    await expect(one(0)).rejects.toThrow(LargeChangeUnderWay);
    await expect(one(0, moving(accountId, null))).rejects.toThrow(LargeChangeUnderWay);
    const list = (ids: string[]) =>
      inTransaction((transaction) => changeKeysOfList(transaction, accountId, by, ids, limitsChange({ budget: 7 })));
    await expect(list([idOf(5), idOf(1)])).rejects.toThrow(LargeChangeUnderWay);
    for (const change of [limitsChange({ budget: 7 }), moving(accountId, null)]) {
      const ofGroup = inTransaction((transaction) => changeKeysOfGroup(transaction, accountId, by, groupId, change));
      await expect(ofGroup).rejects.toThrow(LargeChangeUnderWay);
    }
    await expect(beginLargeChange(database, accountId, groupId, 5)).rejects.toThrow(LargeChangeUnderWay);
    expect(await one(0, disabling)).toMatchObject({ ok: true, key: { ...OLD, version: 2, status: "disabled" } });
    // Their part is not written: they are changed before it.
    expect(await one(4)).toMatchObject({ ok: true, key: { budget: 7 } });
    expect(await list([idOf(5)])).toEqual({ updated: 1, failed: [] });
    for (let n = 1; n < 4; n++) await part(n);
    await complete();
    const { data } = await listEventKeys(database, accountId, lease.eventId, { page: 1, pageSize: 10 });
    expect(data.map(({ before }) => before.budget)).toEqual([100, 100, 100, 100, 7, 7]);
    expect(await one(0)).toMatchObject({ ok: true, key: { ...NEW, budget: 7, version: 4 } });
  });

  test("is done after it", async () => {
    await part(0);
    const waiting = afterLargeChange(database, accountId, () => one(0));
    for (let n = 1; n < 4; n++) await part(n);
    await complete();
    expect(await waiting).toMatchObject({ ok: true, key: { ...NEW, budget: 7, version: 3 } });
    const [single, large] = await events();
    expect([single?.keys, large?.key_count]).toEqual([
      [{ apikey_id: idOf(0), name: "a key", before: { budget: 10 }, after: {} }],
      6,
    ]);
  });

  // The statements of a change of one key, one after the other.
  test.each(
    [1, 2, 3, 4, 5].flatMap(
      (last) =>
        [
          [last, "complete", complete, NEW, 3],
          [last, "undone", undo, OLD, 2],
        ] as const,
    ),
  )("is done after it, or not at all, where before statement %d it is %s", async (last, _, end, left, version) => {
    for (let n = 0; n < 4; n++) await part(n);
    let statements = 0;
    const $queryRaw = async (...query: [TemplateStringsArray, ...unknown[]]) => {
      statements += 1;
      if (statements === last) await end();
      return database.prisma.$queryRaw(...query);
    };
    const change = changeKey(
      { $queryRaw } as unknown as Transaction,
      accountId,
      by,
      { apikeyId: idOf(0), version: undefined },
      limitsChange({ budget: 7 }),
    );
    const [outcome] = await Promise.allSettled([change]);
    const isRefused = outcome.status === "rejected" && outcome.reason instanceof LargeChangeUnderWay;
    if (!isRefused) expect(outcome).toMatchObject({ value: { ok: true, key: { ...left, budget: 7, version } } });
    if (statements < last) await end();
    expect(await read(0)).toMatchObject({ ...left, budget: isRefused ? left.budget : 7 });
  });

  test("by version: the one that a reader saw counts", async () => {
    for (let n = 0; n < 4; n++) await part(n);
    expect(await one(0, disabling, 2)).toMatchObject({ ok: false });
    expect(await one(0, disabling, 1)).toMatchObject({ ok: true, key: { version: 2 } });
    await complete();
    expect(await one(1, disabling, 1)).toMatchObject({ ok: false });
    expect(await one(1, disabling, 2)).toMatchObject({ ok: true, key: { version: 3 } });
  });

  test("that has waited for the lock of a key since before the change does not mix with it", async () => {
    await undo();
    const limits = limitsChange({ budget: 7 });
    const late = whileLocked(
      0,
      () => changeKey(other.prisma, accountId, by, { apikeyId: idOf(0), version: 1 }, limits),
      (holder) => beginAsOther(holder, 0),
    );
    await expect(late).rejects.toThrow(LargeChangeUnderWay);
    expect(await read(0)).toMatchObject({ budget: 100, version: 1 });
  });
});

describe("the name of the request for it", () => {
  const requestFor = (target: RequestTarget) => namedRequest(accountId, "raise", target) as NamedRequest;
  const made = (transaction: Transaction, request: NamedRequest) =>
    changeMadeBy(transaction, accountId, request, limitsChange(NEW));

  test("is not free for another change before it is complete, nor after it", async () => {
    await undo();
    const request = requestFor({ groupId });
    lease = (await beginLargeChange(database, accountId, groupId, 5, { eventId: request.eventId })) as Lease;
    const ofList = () =>
      database.prisma.$transaction((transaction) => made(transaction, requestFor({ apikeyIds: [idOf(5)] })));
    await expect(ofList()).rejects.toThrow(LargeChangeUnderWay);
    for (let n = 0; n < 4; n++) await part(n);
    await expect(ofList()).rejects.toThrow(LargeChangeUnderWay);
    const answered = { ...request, updated: 6, next: null };
    await completeLargeChange(database, lease, by, { groupId, after: { ...NEW }, request: answered });
    expect(await ofList()).toMatchObject({ isSame: false, keyCount: 6 });
  });

  test("is waited for before other changes are: no deadlock with a change of the same name", async () => {
    await undo();
    const request = requestFor({ groupId });
    const isMade = async (transaction: Transaction) => (await made(transaction, request)) !== undefined;
    const large = database.prisma.$transaction(async (transaction) => {
      await made(transaction, request);
      const beginning = beginLargeChange(other, accountId, groupId, 5, { eventId: request.eventId, isMade });
      const [{ pid }] = await transaction.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      await expect.poll(() => countWaiting(database.pool, { processID: pid } as unknown as PoolClient)).toBe(1);
      await changeKeysOfGroup(transaction, accountId, by, groupId, limitsChange(NEW), request);
      return { beginning };
    });
    expect(await (await large).beginning).toBeUndefined();
  });
});

test("a relative change leaves keys as they are of which no limit would change, and the history too", async () => {
  const change = { daily_limit: { multiply: 2 } };
  const without = await stored();
  for (const [n] of [...ends, undefined].entries()) {
    const range = { after: n === 0 ? undefined : ends[n - 1], end: ends[n] };
    await writePart(database, lease, groupId, change, range);
  }
  expect(await completeLargeChange(database, lease, by, { groupId, after: change })).toBe(0);
  expect(await stored()).toEqual({ ...without, change: null });
});
