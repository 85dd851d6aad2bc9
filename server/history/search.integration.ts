import { beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import { insertGroup } from "../groups/queries";
import { changeKeysOfGroup, changeKeysOfList } from "../keys/change-queries";
import { limitsChange } from "../keys/key-change";
import { database, newAccount } from "../testing/database";
import { listEvents } from "./queries";

// Events of 1,000 keys or more have stored the names of then, and are found by the names of now too. How they are searched
// depends on how many keys have the text, now or before (up to 100, up to 3,000, or more), and on how many were renamed.

const by = { kind: "command_line", name: "test", address: null } as const;
const LARGE = "a".repeat(24);
const OTHER = "b".repeat(24);
const FLOCK = "c".repeat(24);
const SWARM = "d".repeat(24);

let accountId: AccountId;
beforeAll(async () => {
  accountId = (await newAccount()).account_id;
  for (const id of [LARGE, OTHER, FLOCK, SWARM])
    await insertGroup(database, accountId, by, { id, name: id, description: "" });
  await insertKeys(LARGE, 1, 1_200, "plain");
  await insertKeys(OTHER, 2_001, 3_000, "plain");
  await insertKeys(FLOCK, 10_001, 13_100, "flock");
  await insertKeys(SWARM, 30_001, 40_010, "swarm");
  await insertKeys(null, 20_001, 23_100, "herd of sheep");

  await rename(1, 10, "early");
  await rename(11, 160, "begun");
  await rename(1_101, 1_105, "before");
  await rename(1, 160, "plain");
  await setBudget(LARGE, 1);
  await setBudget(OTHER, 2);
  await setBudget(FLOCK, 3);

  await rename(10_001, 13_100, "moved");
  await setBudget(FLOCK, 4);
  await setBudgetOf([501, 701], 6);
  await rename(201, 210, "lion");
  await rename(301, 401, "zebra");
  await rename(501, 501, "herd");
  await rename(701, 820, "sheep");
  await rename(1_001, 1_001, "tiger");
  await rename(1_001, 1_001, "plain");
  await rename(1_101, 1_105, "after");
  await setBudget(SWARM, 7);
  await setBudgetOf([30_001, 30_002], 8);
  await rename(30_001, 40_005, "hive");
  await setBudgetOf([1, 301, 2_001], 5);
});

const idOf = (n: number) => `sk-${String(n).padStart(7, "0")}`;

async function insertKeys(groupId: string | null, first: number, last: number, name: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), $2 || ' ' || n, $3 FROM generate_series($4::int, $5::int) n`,
    [accountId, name, groupId, first, last],
  );
}

/**
 * Renames keys, each with its event, as single calls would. The keys are read and changed by two statements: one that joins
 * the keys to what it read of them compares each with each where PostgreSQL has no statistics of the table yet.
 */
async function rename(first: number, last: number, name: string): Promise<void> {
  const keys = [accountId, name, idOf(first), idOf(last)];
  await database.pool.query(
    `WITH target AS (
        SELECT id, name AS name_before, $2 || ' ' || right(id, 7) AS name, left(md5(random()::text), 24) AS event_id
        FROM api_key WHERE account_id = $1 AND id BETWEEN $3 AND $4
      ), new_event AS (
        INSERT INTO event (account_id, id, actor, actor_name, action, key_count, after)
        SELECT $1, event_id, 'rest', 'x', 'key.renamed', 1, jsonb_build_object('name', name) FROM target
      )
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
      SELECT $1, event_id, id, name_before, jsonb_build_object('name', name_before) FROM target`,
    keys,
  );
  await database.pool.query(
    "UPDATE api_key SET name = $2 || ' ' || right(id, 7) WHERE account_id = $1 AND id BETWEEN $3 AND $4",
    keys,
  );
}

/** Changes all keys of a group with one event, which is known by the budget. */
async function setBudget(groupId: string, budget: number): Promise<void> {
  await database.prisma.$transaction((tx) => changeKeysOfGroup(tx, accountId, by, groupId, limitsChange({ budget })));
}

/** Changes some keys with one event, which is known by the budget. */
async function setBudgetOf(numbers: number[], budget: number): Promise<void> {
  const ids = numbers.map(idOf);
  await database.prisma.$transaction((tx) => changeKeysOfList(tx, accountId, by, ids, limitsChange({ budget })));
}

test.each([
  ["the names of 10 keys now", "lion", [1]],
  ["the names of 101 keys now", "zebra", [5, 1]],
  ["the names of 3,100 other keys now, and of one that was renamed", "herd", [6, 1]],
  ["the names of 3,100 other keys now, and of 120 that were renamed", "sheep", [6, 1]],
  ["the names of 2,000 keys now", "plain", [5, 6, 2, 1]],
  ["the names of 3,100 keys now, which were renamed", "moved", [4, 3]],
  ["the names of 5 keys then", "before", [1]],
  ["the names of 5 keys now", "after", [1]],
  ["the names of 3,100 keys then", "flock", [3]],
  ["the names of 10,005 keys now, which were renamed", "hive", [8, 7]],
  ["the names of 10,005 keys then", "swarm", [8, 7]],
  ["no name of 10 keys then: they had been renamed", "early", []],
  ["no name of 150 keys then: they had been renamed", "begun", []],
  ["no name of a key then, and none now", "tiger", []],
  ["the id of a key", "0000301", [5, 1]],
])("events are found by %s", async (_, search, found) => {
  const none = { apikeyId: undefined, groupId: undefined, actor: undefined, from: undefined, to: undefined };
  const filter = { ...none, action: "key.limits_set", search } as const;
  const page = await listEvents(database, accountId, filter, { page: 1, pageSize: 10 });
  expect(page.data.map(({ after }) => after.budget)).toEqual(found);
  expect(page).toMatchObject({ total: found.length, isTotalExact: true });
});
