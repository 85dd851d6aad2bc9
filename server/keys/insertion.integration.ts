import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import { errors } from "../errors/catalogue";
import { countKeys } from "../groups/count-queries";
import type { Actor } from "../history/actor";
import { newObjectId } from "../input/new-object-id";
import { limitsOf } from "../limits/apply";
import { database, keyInsertion, newAccount } from "../testing/database";
import type { NewKey } from "./insertion";
import { hashKeyValue, makeKeyValue } from "./key-value";

const by: Actor = { kind: "rest", name: "sk-abcdefg", address: "203.0.113.7" };
let accountId: AccountId;
let otherId: AccountId;
let holder: Client;
beforeAll(async () => {
  [accountId, otherId] = (await Promise.all([newAccount(), newAccount()])).map(({ account_id }) => account_id) as [
    AccountId,
    AccountId,
  ];
  holder = new Client({ connectionString: inject("databaseUrl") });
  await holder.connect();
});
afterAll(() => holder.end());

function newKey(change: Partial<NewKey> = {}): NewKey {
  const { id, value } = makeKeyValue("sk-");
  return { id, hash: hashKeyValue(value), name: "a key", groupId: null, limits: limitsOf({}), ...change };
}

async function newGroup(owner: AccountId, name: string): Promise<string> {
  const id = newObjectId();
  await database.prisma.apiKeyGroup.create({ data: { accountId: owner, id, name } });
  return id;
}

/** Each key with its event, as it is stored. */
async function stored(keys: NewKey[]) {
  const { rows } = await database.pool.query(
    `SELECT key.account_id, key.id, key.name, key.group_id, budget::float8, expiry_date::text, value_hash AS hash,
        action, actor, actor_name, address, event.group_id AS event_group, group_name, key_count, event.after, key_name, event_key.before
      FROM api_key key
      JOIN event_key ON event_key.account_id = key.account_id AND event_key.key_id = key.id
      JOIN event ON event.account_id = key.account_id AND event.id = event_id
      WHERE key.id = ANY($1)`,
    [keys.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Does work, and says how many statements it took: each takes a connection. */
async function countStatements<Result>(work: () => Promise<Result>) {
  const connect = vi.spyOn(database.lookUpPool, "connect");
  const outcomes = await work();
  const statements = connect.mock.calls.length;
  connect.mockRestore();
  return { outcomes, statements };
}

/** Inserts keys at once, and says how many statements that took. */
const insertAtOnce = (keys: { owner: AccountId; key: NewKey }[]) =>
  countStatements(() => Promise.all(keys.map(({ owner, key }) => keyInsertion.insert(owner, by, key))));

test("keys of two accounts that come at once are inserted by one statement, each with its own event", async () => {
  const groupId = await newGroup(accountId, 'a "group", of {one}');
  const plain = newKey({ name: 'null, \\ and "quotes"' });
  const grouped = newKey({
    name: "grouped",
    groupId,
    limits: limitsOf({ budget: 0.000000001, expiry_date: "2030-02-28" }),
  });
  const others = newKey({ name: "of another account", limits: limitsOf({ budget: 1e15 }) });
  const { outcomes, statements } = await insertAtOnce([
    { owner: accountId, key: plain },
    { owner: accountId, key: grouped },
    { owner: otherId, key: others },
  ]);
  expect(outcomes).toEqual([
    { ok: true, taken: {} },
    { ok: true, taken: {} },
    { ok: true, taken: {} },
  ]);
  expect(statements).toBe(1);
  const event = {
    action: "key.created",
    actor: "rest",
    actor_name: by.name,
    address: by.address,
    key_count: 1,
    before: {},
  };
  const found = await stored([plain, grouped, others]);
  expect(found.get(plain.id)).toEqual({
    ...event,
    account_id: accountId,
    id: plain.id,
    name: plain.name,
    key_name: plain.name,
    group_id: null,
    event_group: null,
    group_name: null,
    budget: null,
    expiry_date: null,
    hash: plain.hash,
    after: { name: plain.name },
  });
  expect(found.get(grouped.id)).toMatchObject({
    ...event,
    account_id: accountId,
    group_id: groupId,
    event_group: groupId,
    group_name: 'a "group", of {one}',
    budget: 1e-9,
    expiry_date: "2030-02-28",
    hash: grouped.hash,
    after: { name: "grouped", budget: 1e-9, expiry_date: "2030-02-28" },
  });
  expect(found.get(others.id)).toMatchObject({ ...event, account_id: otherId, budget: 1e15, hash: others.hash });
});

test("keys of which none has a group are inserted by one statement, with their limits, routes and counts", async () => {
  const keys = [newKey({ limits: limitsOf({ budget: 2, expiry_date: "2030-02-28" }) }), newKey(), newKey()];
  const owners = [accountId, otherId, otherId];
  const countOf = (owner: AccountId) => countKeys(database.prisma, owner, "");
  const before = await Promise.all([accountId, otherId].map(countOf));
  const { outcomes, statements } = await insertAtOnce(keys.map((key, i) => ({ owner: owners[i] as AccountId, key })));
  expect(outcomes).toEqual(keys.map(() => ({ ok: true, taken: {} })));
  expect(statements).toBe(1);
  const found = await stored(keys);
  expect(keys.map(({ id }) => found.get(id))).toMatchObject([
    { account_id: accountId, budget: 2, expiry_date: "2030-02-28", event_group: null, group_name: null },
    { account_id: otherId, budget: null, expiry_date: null },
    { account_id: otherId, budget: null, expiry_date: null },
  ]);
  expect(found.get(keys[0]?.id)?.after).toEqual({ name: "a key", budget: 2, expiry_date: "2030-02-28" });
  const { rows: routes } = await database.pool.query("SELECT account_id FROM key_route WHERE hash = ANY($1)", [
    keys.map(({ hash }) => hash),
  ]);
  expect(routes.map(({ account_id }) => account_id).sort()).toEqual([...owners].sort());
  expect(await Promise.all([accountId, otherId].map(countOf))).toEqual([Number(before[0]) + 1, Number(before[1]) + 2]);
});

test("keys take the defaults of their groups in the same statement", async () => {
  const id = await newGroup(accountId, "with defaults");
  const other = await newGroup(accountId, "with defaults that are only offered");
  await database.pool.query(
    `UPDATE api_key_group SET default_budget = 0.123456789, default_expiry_date = '2030-02-28', apply_defaults = id = $1
      WHERE id IN ($1, $2)`,
    [id, other],
  );
  const keys = [
    newKey({ groupId: id }),
    newKey({ groupId: id, limits: limitsOf({ budget: 0 }) }),
    newKey({ groupId: id, takesDefaults: false }),
    newKey({ groupId: other }),
    newKey({ groupId: other, takesDefaults: true }),
  ];
  const { outcomes, statements } = await insertAtOnce(keys.map((key) => ({ owner: accountId, key })));
  const taken = [
    { budget: 0.123456789, expiry_date: "2030-02-28" },
    { expiry_date: "2030-02-28" },
    {},
    {},
    { budget: 0.123456789, expiry_date: "2030-02-28" },
  ];
  expect(outcomes).toEqual(taken.map((limits) => ({ ok: true, taken: limits })));
  expect(statements).toBe(1);
  const found = await stored(keys);
  for (const [i, key] of keys.entries()) {
    const { budget, expiry_date } = { ...key.limits, ...taken[i] };
    const set = Object.fromEntries(Object.entries({ budget, expiry_date }).filter(([, value]) => value !== null));
    expect(found.get(key.id)).toMatchObject({ budget, expiry_date });
    expect(found.get(key.id)?.after).toEqual({ name: key.name, ...set });
  }
});

test("keys that are inserted together: one statement, all or none", async () => {
  const keys = Array.from({ length: 300 }, () => newKey());
  const { outcomes, statements } = await countStatements(() => keyInsertion.insertTogether(accountId, by, keys));
  expect(statements).toBe(1);
  expect(outcomes).toEqual({ ok: true, taken: keys.map(() => ({})) });
  expect((await stored(keys)).size).toBe(300);
  const others = [newKey(), newKey({ groupId: newObjectId() }), newKey()];
  expect(await keyInsertion.insertTogether(accountId, by, others)).toEqual({
    ok: false,
    reason: errors.groupNamesNone(),
  });
  expect((await stored(others)).size).toBe(0);
});

test("one key that cannot be inserted fails alone", async () => {
  const taken = newKey();
  await keyInsertion.insert(accountId, by, taken);
  const ofOther = await newGroup(otherId, "of another account");
  const good = [newKey(), newKey(), newKey()];
  const tooLong = newKey({ name: "x".repeat(129) });
  const { outcomes } = await insertAtOnce([
    { owner: accountId, key: good[0] as NewKey },
    { owner: accountId, key: newKey({ id: taken.id }) },
    { owner: accountId, key: newKey({ groupId: newObjectId() }) },
    { owner: accountId, key: newKey({ groupId: ofOther }) },
    { owner: otherId, key: good[1] as NewKey },
    // An id is taken in its own account only.
    { owner: otherId, key: newKey({ id: taken.id }) },
    { owner: accountId, key: good[2] as NewKey },
  ]);
  expect(outcomes).toEqual([
    { ok: true, taken: {} },
    { ok: false, reason: "id taken" },
    { ok: false, reason: errors.groupNamesNone() },
    { ok: false, reason: errors.groupNamesNone() },
    { ok: true, taken: {} },
    { ok: true, taken: {} },
    { ok: true, taken: {} },
  ]);
  const afterwards = newKey();
  const settled = await Promise.allSettled([
    keyInsertion.insert(accountId, by, tooLong),
    keyInsertion.insert(accountId, by, afterwards),
  ]);
  expect(settled).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: { ok: true, taken: {} } }]);
  expect([...(await stored([...good, tooLong, afterwards])).keys()].sort()).toEqual(
    [...good, afterwards].map(({ id }) => id).sort(),
  );
});

test("two keys of one id that come at once: one is inserted", async () => {
  const key = newKey();
  const { outcomes } = await insertAtOnce([
    { owner: accountId, key },
    { owner: accountId, key: newKey({ id: key.id }) },
  ]);
  expect(outcomes).toEqual([
    { ok: true, taken: {} },
    { ok: false, reason: "id taken" },
  ]);
});

test("a group that is locked keeps only its own keys waiting; when it is deleted meanwhile, they fail", async () => {
  const kept = await newGroup(accountId, "kept");
  const deleted = await newGroup(accountId, "deleted");
  await holder.query("BEGIN");
  await holder.query("SELECT FROM api_key_group WHERE account_id = $1 AND id = ANY($2) FOR UPDATE", [
    accountId,
    [kept, deleted],
  ]);
  const waiting = [kept, deleted, kept].map((groupId) => keyInsertion.insert(accountId, by, newKey({ groupId })));
  const others = Array.from({ length: 100 }, () => keyInsertion.insert(accountId, by, newKey()));
  expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
  await holder.query("DELETE FROM api_key_group WHERE account_id = $1 AND id = $2", [accountId, deleted]);
  await holder.query("COMMIT");
  expect(await Promise.all(waiting)).toEqual([
    { ok: true, taken: {} },
    { ok: false, reason: errors.groupNamesNone() },
    { ok: true, taken: {} },
  ]);
});
