import { beforeAll, expect, test } from "vitest";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { newAccount } from "../testing/database";
import { openUnanalyzedDatabase } from "../testing/own-database";
import { rowsRead } from "../testing/plan-rows";
import { listEvents } from "./queries";

// A search of the history must look up the key of each renaming, whatever PostgreSQL believes of the tables. A join that
// compares all renamings with all keys of events took more than 30 s, where PostgreSQL ends a statement. So did look-ups by an
// index of all keys of the account. The history of a key must look its events up. Rows and pages are counted here, not seconds.

const RENAMINGS = 4_000;
/** Each renaming is handled in some steps. To compare each with all would handle 16,000,000 rows. */
const MOST_ROWS = 20 * RENAMINGS;
const MOST_ROWS_OF_KEY = 100;

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

/** The most rows that a statement of a list of events handles. */
async function mostRows(accountId: AccountId, asked: { search: string } | { apikeyId: string }): Promise<number> {
  const none = { apikeyId: undefined, groupId: undefined, action: undefined, actor: undefined, search: undefined };
  const filter = { ...none, from: undefined, to: undefined, ...asked };
  const found = await rowsRead(db.pool, /\bevent_key\b/, async () => {
    const { total } = await listEvents(db, accountId, filter, { page: 1, pageSize: 50 });
    expect(total).toBeGreaterThan(0);
  });
  expect(found.length).toBeGreaterThan(1);
  return Math.max(...found);
}

async function analyzeLargerAccount(): Promise<void> {
  await accountWithRenamings(5 * RENAMINGS);
  await db.pool.query("ANALYZE");
}

// The states follow one another in one database.
test.each([
  ["never analysed", async () => {}],
  ["analysed before these keys were there", analyzeLargerAccount],
] as const)("tables that were %s", async (_, prepare): Promise<void> => {
  await prepare();
  const accountId = await accountWithRenamings(RENAMINGS);
  for (const search of ["lion", "bear 17", "lion 1234"]) {
    expect([search, (await mostRows(accountId, { search })) < MOST_ROWS]).toEqual([search, true]);
  }
  expect(await mostRows(accountId, { apikeyId: "sk-0000042" })).toBeLessThan(MOST_ROWS_OF_KEY);
  await db.pool.query("ANALYZE");
  expect(await mostRows(accountId, { search: "lion" })).toBeLessThan(MOST_ROWS);
  expect(await mostRows(accountId, { apikeyId: "sk-0000042" })).toBeLessThan(MOST_ROWS_OF_KEY);
});
