import { beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { listEvents } from "./queries";

// A search of the history must look up what it finds of renamings, whatever PostgreSQL believes of the tables. A join that
// compares all renamings with all keys of events took more than 30 s, where PostgreSQL ends a statement. So did look-ups by an
// index of all keys of the account. The history of a key must look its events up, and so must that of a group. Rows and pages
// are counted here, not seconds.

const RENAMINGS = 4_000;
/** Each renaming is handled in some steps. To compare each with all would handle 16,000,000 rows. */
const MOST_ROWS = 20 * RENAMINGS;
/** Where few are found, the names of all are read by an index, and neither their events nor their keys are looked up. */
const MOST_ROWS_OF_FEW = 1.5 * RENAMINGS;
/** Of one key, or of a group with ten keys. */
const MOST_ROWS_OF_KEY = 200;
/** Of a group with as many keys: one is a wolf, as are many others. To look up the key of each event would read more. */
const MOST_ROWS_OF_GROUP = 3.5 * RENAMINGS;

let db: Database;

beforeAll(async () => {
  const own = await openUnanalyzedDatabase();
  ({ db } = own);
  return own.remove;
});

/** A new account in which each key was renamed from a bear to a lion. */
async function accountWithRenamings(count: number): Promise<AccountId> {
  const { account_id: accountId } = await newAccount(db);
  await db.pool.query(
    `WITH renamed AS (
        SELECT 'sk-' || lpad(n::text, 7, '0') AS id, lpad(to_hex(n), 24, '0') AS event_id, n FROM generate_series(1, $2::int) n
      ), new_key AS (
        INSERT INTO api_key (account_id, id, name) SELECT $1, id, 'lion ' || n FROM renamed
      ), new_event AS (
        INSERT INTO event (account_id, id, actor, actor_name, action, key_count, after)
        SELECT $1, event_id, 'rest', 'x', 'key.renamed', 1, jsonb_build_object('name', 'lion ' || n) FROM renamed
      )
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
      SELECT $1, event_id, id, 'bear ' || n, jsonb_build_object('name', 'bear ' || n) FROM renamed`,
    [accountId, count],
  );
  return accountId;
}

/** The groups of an account have ids that no other has. */
const groupsOf = (accountId: AccountId) => ({ large: `9${accountId.slice(1)}`, small: `8${accountId.slice(1)}` });

/** The groups in an account, with the events of the creation of their keys, and the other wolves. */
async function addGroups(accountId: AccountId): Promise<void> {
  const { large, small } = groupsOf(accountId);
  await db.pool.query("INSERT INTO api_key_group (account_id, id, name) VALUES ($1, $2, 'large'), ($1, $3, 'small')", [
    accountId,
    large,
    small,
  ]);
  await db.pool.query(
    `WITH made AS (
        SELECT 'sk-T' || lpad(n::text, 6, '0') AS id, 'e' || lpad(to_hex(n), 23, '0') AS event_id,
          CASE n WHEN 11 THEN 'wolf' ELSE 'tiger ' || n END AS name
        FROM generate_series(1, $2::int) n
      ), new_key AS (
        INSERT INTO api_key (account_id, id, name, group_id) SELECT $1, id, name, $3 FROM made
      ), new_event AS (
        INSERT INTO event (account_id, id, actor, actor_name, action, key_count, group_id)
        SELECT $1, event_id, 'rest', 'x', 'key.created', 1, CASE WHEN id > 'sk-T000010' THEN $3 ELSE $4 END FROM made
      )
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before) SELECT $1, event_id, id, name, '{}' FROM made`,
    [accountId, RENAMINGS, large, small],
  );
  await db.pool.query(
    `INSERT INTO api_key (account_id, id, name)
      SELECT $1, 'sk-W' || lpad(n::text, 6, '0'), 'wolf' FROM generate_series(1, $2::int) n`,
    [accountId, RENAMINGS],
  );
}

/** The most rows that a statement of a list of events handles. */
async function mostRows(
  accountId: AccountId,
  asked: { search: string; groupId?: string } | { apikeyId: string } | { groupId: string },
): Promise<number> {
  const none = { apikeyId: undefined, groupId: undefined, action: undefined, actor: undefined, search: undefined };
  const filter = { ...none, from: undefined, to: undefined, ...asked };
  const found = await rowsRead(db.pool, /\bevent(_key)?\b/, async () => {
    const { total } = await listEvents(db, accountId, filter, { page: 1, pageSize: 50 });
    expect(total).toBeGreaterThan(0);
  });
  expect(found.length).toBeGreaterThan(1);
  return Math.max(...found);
}

async function analyzeLargerAccount(): Promise<void> {
  await addGroups(await accountWithRenamings(5 * RENAMINGS));
  await db.pool.query("ANALYZE");
}

// The states follow one another in one database.
test.each([
  ["never analysed", async () => {}],
  ["analysed before these keys were there", analyzeLargerAccount],
] as const)("tables that were %s", async (_, prepare): Promise<void> => {
  await prepare();
  const accountId = await accountWithRenamings(RENAMINGS);
  await addGroups(accountId);
  const { large, small } = groupsOf(accountId);
  expect(await mostRows(accountId, { search: "lion" })).toBeLessThan(MOST_ROWS);
  expect(await mostRows(accountId, { search: "bear 17" })).toBeLessThan(MOST_ROWS_OF_FEW);
  expect(await mostRows(accountId, { search: "lion 1234" })).toBeLessThan(MOST_ROWS_OF_FEW);
  expect(await mostRows(accountId, { search: "wolf", groupId: large })).toBeLessThan(MOST_ROWS_OF_GROUP);
  expect(await mostRows(accountId, { apikeyId: "sk-0000042" })).toBeLessThan(MOST_ROWS_OF_KEY);
  expect(await mostRows(accountId, { groupId: small })).toBeLessThan(MOST_ROWS_OF_KEY);
  await db.pool.query("ANALYZE");
  expect(await mostRows(accountId, { search: "lion" })).toBeLessThan(MOST_ROWS);
  expect(await mostRows(accountId, { search: "wolf", groupId: large })).toBeLessThan(MOST_ROWS_OF_GROUP);
  expect(await mostRows(accountId, { apikeyId: "sk-0000042" })).toBeLessThan(MOST_ROWS_OF_KEY);
  expect(await mostRows(accountId, { groupId: small })).toBeLessThan(MOST_ROWS_OF_KEY);
});
