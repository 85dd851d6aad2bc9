import { Client, type QueryResult } from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { deleteGroup, insertGroup, lockGroupToDelete } from "../groups/queries";
import type { Catalogues } from "../prices/catalogues";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsHandled } from "../testing/plan-rows";
import { changeKey, changeKeysOfGroup, changeKeysOfList } from "./change-queries";
import { changeNextKeys } from "./filter-change-queries";
import { disabling, limitsChange } from "./key-change";
import { beginLargeChange, type Lease, listEnds, undoPart, writePart } from "./large-change-parts";
import { previewAction, previewLimits } from "./preview-queries";
import { restoreLargely } from "./restore-queries";

// A change of many keys must touch each key a few times, whatever PostgreSQL believes of the table. A join that compares all
// keys with all took 27 s for 4,676 keys in a database that was never analysed. With 2,000 keys, twelve clients that waited
// for each other came to 30 s, where PostgreSQL ends a statement. Rows are counted here, not seconds.

/** Half of the keys are in the group. */
const KEYS = 6_000;
/** To compare 1,000 keys with all would handle 6,000,000. */
const MOST_ROWS = 10 * KEYS;
/** Undoing handles each key in some thirteen steps of its plan. */
const MOST_ROWS_UNDOING = 20 * KEYS;
const by = { kind: "command_line", name: "test", address: null } as const;
const GROUP = "a".repeat(24);
/** A group of few keys beside it. */
const SMALL_GROUP = "b".repeat(24);
const KEYS_OF_SMALL = 10;
const MOST_ROWS_OF_SMALL = 40 * KEYS_OF_SMALL;

let db: Database;
let accountId: AccountId;
let otherId: AccountId;
let ids: string[];

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  ({ account_id: accountId } = await newAccount(db));
  ({ account_id: otherId } = await newAccount(db));
  await insertGroup(db, accountId, by, { id: GROUP, name: "Large", description: "" });
  return own.remove;
});

/** Every second key is in the group. */
function insertKeys(of: AccountId, count: number, group?: string): Promise<unknown> {
  return db.pool.query(
    `INSERT INTO api_key (account_id, id, name, group_id)
      SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'n', CASE WHEN n % 2 = 0 THEN $2 END FROM generate_series(1, $3) AS n`,
    [of, group, count],
  );
}

/**
 * The most rows that a statement of `change` handles. Each statement that counts runs twice, the first time under
 * EXPLAIN, and that time is rolled back.
 * @param counts which statements count. They run in a transaction.
 */
async function mostRows(change: () => Promise<unknown>, counts = /UPDATE api_key/): Promise<number> {
  const found: number[] = [];
  const send = Client.prototype.query as unknown as (this: Client, ...given: unknown[]) => Promise<QueryResult>;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(async function (
    this: Client,
    ...given: unknown[]
  ) {
    const { text = "", values = [] } = given[0] as { text?: string; values?: unknown[] };
    if (counts.test(text)) {
      await send.call(this, "SAVEPOINT explained");
      found.push(await rowsHandled((...asked) => send.call(this, ...asked), text, values as unknown[]));
      await send.call(this, "ROLLBACK TO explained");
    }
    return send.apply(this, given);
  } as never);
  try {
    await change();
  } finally {
    spy.mockRestore();
  }
  expect(found.length).toBeGreaterThan(0);
  return Math.max(...found);
}

const changes: [string, () => Promise<unknown>, number?][] = [
  [
    "limits of a group",
    () => db.prisma.$transaction((tx) => changeKeysOfGroup(tx, accountId, by, GROUP, limitsChange({ budget: 5 }))),
  ],
  [
    "limits of a list",
    () =>
      db.prisma.$transaction((tx) =>
        changeKeysOfList(tx, accountId, by, ids.slice(0, 1_000), limitsChange({ budget: 6, expiry_date: null })),
      ),
  ],
  [
    "another change of a list",
    () => db.prisma.$transaction((tx) => changeKeysOfList(tx, accountId, by, ids.slice(-1_000), disabling)),
  ],
  [
    "limits of the next keys that match a filter, from what they are",
    () => {
      const keys = { filter: { search: "n", group: GROUP, status: undefined, look: undefined }, after: undefined };
      const change = limitsChange({ budget: { multiply: 1.5 }, daily_limit: { at_most: 5 } });
      return db.prisma.$transaction((tx) => changeNextKeys(tx, accountId, by, keys, change, undefined));
    },
  ],
  [
    "parts of a large change, and undoing them",
    async () => {
      const lease = (await beginLargeChange(db, accountId, GROUP, 1_000)) as Lease;
      const ends = await listEnds(db, accountId, GROUP, 1_000);
      for (const [n, end] of ends.entries()) {
        await writePart(db, lease, GROUP, { budget: 7 }, { after: ends[n - 1], end });
      }
      for (let after: string | undefined = ""; after !== undefined; ) after = await undoPart(db, lease, after, 1_000);
    },
  ],
  [
    "undoing the limits of a group",
    async () => {
      const { rows } = await db.pool.query(
        "SELECT id, key_count FROM event WHERE account_id = $1 AND action = 'key.limits_set' ORDER BY id LIMIT 1",
        [accountId],
      );
      const change = {
        eventId: rows[0].id,
        keyCount: rows[0].key_count,
        names: ["budget"],
        after: { budget: 5 },
      } as const;
      for (const isForced of [true, false]) {
        const restoring = { ...change, groupId: GROUP, isForced };
        const { updated } = await restoreLargely(db, accountId, by, restoring, async () => {});
        // What was undone is not what the change has left.
        expect(updated).toBe(isForced ? KEYS / 2 : 0);
      }
    },
    MOST_ROWS_UNDOING,
  ],
];

// The states follow one another in one database.
describe.each([
  ["never analysed", async () => {}],
  ["analysed before the keys were there, and changed since", async () => {}],
  // Of all rows: with a sample, the plans would be another choice each time.
  ["analysed", () => db.pool.query("BEGIN; SET LOCAL default_statistics_target = 1000; ANALYZE; COMMIT")],
] as const)("a table that was %s", (state, prepare) => {
  beforeAll(async () => {
    if (state !== "analysed") {
      if (state !== "never analysed") {
        await db.pool.query("DELETE FROM api_key WHERE NOT is_default");
        // The table is large already, by keys of another account.
        await insertKeys(otherId, 4 * KEYS);
        await db.pool.query("ANALYZE");
      }
      await insertKeys(accountId, KEYS, GROUP);
    }
    await prepare();
    const { rows } = await db.pool.query(
      "SELECT id FROM api_key WHERE account_id = $1 AND NOT is_default ORDER BY id",
      [accountId],
    );
    ids = rows.map(({ id }) => id);
  });

  test.each(changes)("%s", async (_, change, most = MOST_ROWS) => {
    expect(await mostRows(change)).toBeLessThan(most);
  });

  test("a group of few keys is read alone", async () => {
    await insertGroup(db, accountId, by, { id: SMALL_GROUP, name: "Small", description: "" });
    await db.pool.query(
      `INSERT INTO api_key (account_id, id, name, group_id, revoked_at)
        SELECT $1, 'sk-' || lpad(n::text, 7, 's'), 'n', $2, CASE WHEN n > 5 THEN now() END FROM generate_series(1, ${KEYS_OF_SMALL}) AS n`,
      [accountId, SMALL_GROUP],
    );
    const target = { groupId: SMALL_GROUP };
    const prices = { find: () => Promise.reject(new Error("no price changes")) } as unknown as Catalogues;
    const changesOfGroup = {
      "what limits would do": () => previewLimits({ db, catalogues: prices }, accountId, target, { budget: 5 }),
      "what disabling would do": () => previewAction(db, accountId, target, disabling),
      limits: () =>
        db.prisma.$transaction((tx) => changeKeysOfGroup(tx, accountId, by, SMALL_GROUP, limitsChange({ budget: 5 }))),
      deletion: async () => {
        await db.pool.query("UPDATE api_key SET revoked_at = now() WHERE group_id = $1", [SMALL_GROUP]);
        await db.prisma.$transaction(async (tx) => {
          const group = await lockGroupToDelete(tx, accountId, SMALL_GROUP);
          if (group) await deleteGroup(tx, accountId, by, group);
        });
      },
    };
    for (const [name, change] of Object.entries(changesOfGroup)) {
      const rows = await mostRows(change, /(UPDATE|FROM) \S*api_key\b/);
      expect({ name, isFew: rows < MOST_ROWS_OF_SMALL }, `${rows} rows`).toEqual({ name, isFew: true });
    }
    // The default key may begin with one "s".
    await db.pool.query("DELETE FROM api_key WHERE account_id = $1 AND id LIKE 'sk-sssss%'", [accountId]);
  });

  test("one key is looked up", async () => {
    const target = { apikeyId: ids[0] as string, version: undefined };
    const change = () =>
      db.prisma.$transaction((tx) => changeKey(tx, accountId, by, target, limitsChange({ budget: 8 })));
    // A connection that is new, or that has fallen behind the changes of other tests to the schema, reads the catalogs of
    // PostgreSQL first: three times as many pages as the change.
    await change();
    expect(await mostRows(change)).toBeLessThan(100);
  });
});
