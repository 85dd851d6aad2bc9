import { beforeEach, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { deleteGroup, insertGroup, lockGroupToDelete } from "../groups/queries";
import { changeKeysOfGroup, changeKeysOfList } from "../keys/change-queries";
import { type KeyChange, limitsChange, moving, renaming, revoking } from "../keys/key-change";
import { database, newAccount } from "../testing/database";
import { listEvents } from "./queries";

// More than 3,000 keys have the text "herd". Of a group, only the keys that its events may concern are looked at then: those
// that are in it, and those that were moved. Each test changes the budget of all keys of a group with one event, and finds it.

const by = { kind: "command_line", name: "test", address: null } as const;
const HERD = 3_100;

let accountId: AccountId;
/** How many keys the account has. */
let keysMade: number;
beforeEach(async () => {
  accountId = (await newAccount()).account_id;
  keysMade = 0;
  await insertKeys("herd", HERD, null);
});

let groups = 0;
/** A group with keys of the given names, whose budget was set. */
async function groupWith(...names: string[]): Promise<{ id: string; keys: string[] }> {
  groups += 1;
  const id = String(groups).padStart(24, "0");
  await insertGroup(database, accountId, by, { id, name: `pasture ${groups}`, description: "" });
  const keys: string[] = [];
  for (const name of names) keys.push(...(await insertKeys(name, 1, id)));
  await database.prisma.$transaction((tx) => changeKeysOfGroup(tx, accountId, by, id, limitsChange({ budget: 5 })));
  return { id, keys };
}

async function insertKeys(name: string, count: number, groupId: string | null): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO api_key (account_id, id, name, group_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), $2 || ' ' || n, $3 FROM generate_series($4::int, $5::int) n RETURNING id`,
    [accountId, name, groupId, keysMade + 1, keysMade + count],
  );
  keysMade += count;
  return rows.map(({ id }) => id);
}

function change(keys: readonly string[], what: KeyChange) {
  return database.prisma.$transaction((tx) => changeKeysOfList(tx, accountId, by, keys, what));
}

/** The actions of the events of a group that a search finds, the newest first. */
async function found(groupId: string, search = "herd") {
  const none = { apikeyId: undefined, action: undefined, actor: undefined, from: undefined, to: undefined };
  const page = await listEvents(database, accountId, { ...none, search, groupId }, { page: 1, pageSize: 10 });
  expect(page).toMatchObject({ total: page.data.length, isTotalExact: true });
  return page.data.map(({ action }) => action);
}

test("a key that is in the group", async () => {
  const { id } = await groupWith("lion", "herd");
  expect(await found(id)).toEqual(["key.limits_set"]);
});

test("none of the keys of the group", async () => {
  const { id } = await groupWith("lion", "tiger");
  expect(await found(id)).toEqual([]);
});

test("a key that was moved to another group", async () => {
  const { id, keys } = await groupWith("lion", "herd");
  const other = await groupWith("tiger");
  await change(keys, moving(accountId, { id: other.id, name: "any" }));
  expect(await found(id)).toEqual(["key.limits_set"]);
  expect(await found(other.id)).toEqual(["key.moved"]);
});

test("a key that had the text in its name", async () => {
  const { id, keys } = await groupWith("herd");
  await change(keys, renaming("lion"));
  expect(await found(id)).toEqual(["key.limits_set"]);
});

test("a key that had the text in its name, and was moved", async () => {
  const { id, keys } = await groupWith("herd");
  await change(keys, renaming("lion"));
  await change(keys, moving(accountId, null));
  expect(await found(id)).toEqual(["key.limits_set"]);
});

test("a key that got the text in its name", async () => {
  const { id, keys } = await groupWith("lion");
  await change(keys, renaming("herd at last"));
  expect(await found(id)).toEqual(["key.limits_set"]);
});

test("a key that has the text in its id", async () => {
  const { id, keys } = await groupWith("lion");
  await insertKeys(`${keys[0]}`, HERD, null);
  expect(await found(id, `${keys[0]}`)).toEqual(["key.limits_set"]);
});

test("a revoked key of a group that is deleted", async () => {
  const { id, keys } = await groupWith("herd");
  await change(keys, revoking);
  await database.prisma.$transaction(async (tx) => {
    const group = await lockGroupToDelete(tx, accountId, id);
    if (group) await deleteGroup(tx, accountId, by, group);
  });
  expect(await found(id)).toEqual(["key.limits_set"]);
});

test("some of many keys that were moved at once", async () => {
  const { id } = await groupWith("herd");
  const keys = await insertKeys("herd", 1_000, id);
  await change(keys, moving(accountId, null));
  const other = await groupWith("tiger");
  await change(keys, moving(accountId, { id: other.id, name: "any" }));
  await change(keys, moving(accountId, { id, name: "any" }));
  expect(await found(other.id)).toEqual(["key.moved"]);
});

/** Writes an event of 10,001 other keys of the account, which are more than are looked up. */
async function writeEvent(action: "key.moved" | "key.renamed", name: string, before: object): Promise<void> {
  await database.pool.query(
    `WITH written AS (
        INSERT INTO event (account_id, id, actor, actor_name, action, key_count) VALUES ($1, $2, 'rest', 'x', $3, 1)
      )
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
      SELECT $1, $2, 'sk-A' || lpad(n::text, 6, '0'), $4, $5 FROM generate_series(1, 10001) n`,
    [accountId, "0".repeat(24), action, name, before],
  );
}

test("a key that was moved, where more were moved than are looked up", async () => {
  await writeEvent("key.moved", "other", {});
  const { id, keys } = await groupWith("herd");
  await change(keys, moving(accountId, null));
  expect(await found(id)).toEqual(["key.limits_set"]);
});

test("a key that was renamed, where more were renamed than are looked up", async () => {
  await writeEvent("key.renamed", "herd", { name: "herd" });
  const { id, keys } = await groupWith("herd");
  await change(keys, renaming("lion"));
  expect(await found(id)).toEqual(["key.limits_set"]);
});
