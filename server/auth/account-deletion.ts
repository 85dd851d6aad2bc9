import type { Client } from "pg";
import type { Database, Transaction } from "../db/client";
import { countOf } from "../input/count";
import { waitToBeAlone } from "../keys/change-order-queries";
import type { Progress } from "../progress";
import type { AccountId } from "./account-id";
import type { NamedAccount } from "./account-state";
import { AccountError } from "./accounts";
import { liftLockOuts } from "./attempts";
import { endSessions } from "./queries";

// An account is deleted in parts, each in a transaction of its own, so that nothing is locked for long, however many keys it
// has. It is marked first, under locks of its keys for a moment: from then on its keys and its owner are refused, and the
// audit of the books leaves it out. The account itself goes last, so that a deletion that was interrupted can be gone on with.

/** Rows of one part, where an index finds the rows of an account. */
const ROWS = 5_000;
/** Pages of one part, where the whole table is read. */
const PAGES = 2_000;

/**
 * Marks an account as being deleted, and ends its sessions.
 * @param discardsHeld whether authorizations that are held may go too: what they cost can then not be captured.
 * @throws {AccountError} when there are some, and they may not. Nothing has changed then.
 */
export async function markDeleted({ prisma }: Database, account: NamedAccount, discardsHeld: boolean): Promise<void> {
  const { id, deletedAt } = account;
  const keepsHeld = deletedAt === null && !discardsHeld;
  await prisma.$transaction(async (transaction) => {
    if (keepsHeld) {
      // Before any key is locked, so that a refusal keeps no gateway waiting.
      await refuseHeld(transaction, account);
      // Another change of many keys may lock them in another order.
      await waitToBeAlone(transaction, id);
    }
    await transaction.$executeRaw`UPDATE account SET disabled_at = now() WHERE id = ${id} AND disabled_at IS NULL`;
    await transaction.$executeRaw`UPDATE account SET deleted_at = now() WHERE id = ${id} AND deleted_at IS NULL`;
    await endSessions(transaction, id);
    if (!keepsHeld) return;
    // A hold is granted under the lock of its key, perhaps by the account as it was before. After these locks none is any more.
    await lockKeys(transaction, id);
    // A key that is created meanwhile has a lock on its account until it is there; later ones wait.
    await transaction.$queryRaw`SELECT FROM account WHERE id = ${id} FOR UPDATE`;
    await lockKeys(transaction, id);
    await refuseHeld(transaction, account);
  });
}

async function lockKeys(transaction: Transaction, id: AccountId): Promise<void> {
  await transaction.$queryRaw`
    SELECT count(*) FROM (
      SELECT FROM api_key WHERE account_id = ${id} ORDER BY id FOR NO KEY UPDATE
    ) locked`;
}

async function refuseHeld(transaction: Transaction, { id, email }: NamedAccount): Promise<void> {
  const [held] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM "authorization"
    WHERE account_id = ${id} AND state = 'held' AND expires_at > now()`;
  if (held && held.count > 0) {
    const found = `${countOf(held.count, "authorization")} of ${email} ${held.count === 1 ? "is" : "are"} held`;
    throw new AccountError(`${found}; wait until nothing is held any more, or add --discard-held. Nothing was changed`);
  }
}

/**
 * Deletes everything that an account has, and then the account.
 * @param client in the role of the owner of the tables, in no transaction: the serving role may delete no line of the ledger.
 * @param account one that is marked.
 * @param onProgress counts rows and pages.
 * @returns the number of rows that were deleted, by table.
 */
export async function deleteMarked(
  { prisma }: Database,
  client: Client,
  { id, email }: NamedAccount,
  onProgress: Progress,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const { rows: tables } = await client.query<Table>(TABLES);
  const all = await sizeOf(client, tables, id);
  let done = 0;
  const note = ({ shown }: Table, rows: number, work: number) => {
    deleted[shown] = (deleted[shown] ?? 0) + rows;
    done += work;
    onProgress(Math.min(done, all), all);
  };
  const deleteLed = async () => {
    let rows = 0;
    for (const table of tables) if (table.is_led) rows += await deleteByIndex(client, table, id, note);
    return rows;
  };
  await deleteLed();
  // What is held is captured as long as its key is there, and each capture adds a line to the ledger. So that comes after the keys.
  for (const table of tables) if (!table.is_led) await deleteByPages(client, table, id, note);
  // The background work of a server may add rows that are counted from others. So this ends when it finds nothing more.
  while ((await deleteLed()) > 0);
  await prisma.$transaction(async (transaction) => {
    await liftLockOuts(transaction, id, email);
    await transaction.verification.deleteMany({ where: { value: id } });
    deleted.account = (await transaction.account.deleteMany({ where: { id } })).count;
  });
  return deleted;
}

interface Table {
  /** Quoted where it must be. */
  name: string;
  /** What it is a part of, for an operator. */
  shown: string;
  /** Whether an index finds the rows of an account. */
  is_led: boolean;
  pages: number;
}

/**
 * The tables with rows of accounts, whichever they are in this version; a partition is a table of its own. Those whose rows go
 * with a row of another table are left out. One that others refer to comes after them.
 */
const TABLES = `
  SELECT class.oid::regclass::text AS name, coalesce(whole.relname, class.relname)::text AS shown,
    EXISTS (
      SELECT FROM pg_index
      WHERE indrelid = class.oid AND indkey[0] = account.attnum AND indpred IS NULL AND indisvalid
    ) AS is_led,
    (pg_relation_size(class.oid) / current_setting('block_size')::int)::int AS pages
  FROM pg_class class
  JOIN pg_attribute account ON attrelid = class.oid AND attname = 'account_id' AND NOT attisdropped
  LEFT JOIN pg_inherits ON inhrelid = class.oid
  LEFT JOIN pg_class whole ON whole.oid = inhparent
  WHERE class.relnamespace = current_schema()::regnamespace AND class.relkind = 'r'
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = class.oid AND contype = 'f' AND confdeltype = 'c')
  ORDER BY (
    SELECT count(*) FROM pg_constraint
    WHERE confrelid = class.oid AND conrelid <> class.oid AND contype = 'f' AND confdeltype <> 'c'
  ), class.relname`;

type Note = (table: Table, rows: number, work: number) => void;

async function sizeOf(client: Client, tables: readonly Table[], id: AccountId): Promise<number> {
  let size = 1;
  for (const { name, is_led, pages } of tables) {
    if (!is_led) size += pages;
    else {
      const { rows } = await client.query<{ rows: number }>(
        `SELECT count(*)::float8 AS rows FROM ${name} WHERE account_id = $1`,
        [id],
      );
      size += rows[0]?.rows ?? 0;
    }
  }
  return size;
}

async function deleteByIndex(client: Client, table: Table, id: AccountId, note: Note): Promise<number> {
  const { name } = table;
  for (let all = 0; ; ) {
    const { rowCount } = await client.query(
      `DELETE FROM ${name} WHERE account_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE account_id = $1 LIMIT ${ROWS}))`,
      [id],
    );
    const rows = rowCount ?? 0;
    note(table, rows, rows);
    all += rows;
    // One that another transaction has just changed was left: it stands in another place now.
    if (rows < ROWS && !(await hasRows(client, table, id))) return all;
  }
}

async function hasRows(client: Client, { name }: Table, id: AccountId): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM ${name} WHERE account_id = $1 LIMIT 1`, [id]);
  return rowCount !== 0;
}

/** Reads the table once, some pages at a time. The last part has no end, because the table may have grown. */
async function deleteByPages(client: Client, table: Table, id: AccountId, note: Note): Promise<void> {
  const { name, pages } = table;
  for (let page = 0; page === 0 || page < pages; page += PAGES) {
    const next = page + PAGES;
    const end = next < pages ? `AND ctid < '(${next},0)'` : "";
    const { rowCount } = await client.query(
      `DELETE FROM ${name} WHERE account_id = $1 AND ctid >= '(${page},0)' ${end}`,
      [id],
    );
    note(table, rowCount ?? 0, PAGES);
  }
}
