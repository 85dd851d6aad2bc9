import { setTimeout as delay } from "node:timers/promises";
import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { HASHED_LOCKS } from "../db/advisory-locks";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";

// Which changes of keys run side by side. Authorizations take no part in it.

/**
 * Changes of single keys and of lists run side by side. A change of a group, or of a part of it, runs alone among the
 * changes of keys of its account.
 */
const lockOf = (accountId: AccountId) => Prisma.sql`${HASHED_LOCKS.keyChanges}::int, hashtext(${accountId})`;

/** For `FROM`: waits while a change of a group of the account runs, and makes such a change wait until the transaction ends. */
export function beside(accountId: AccountId): Prisma.Sql {
  return Prisma.sql`pg_advisory_xact_lock_shared(${lockOf(accountId)})`;
}

/** Waits for all other changes of keys of the account, and keeps them waiting until the transaction ends. */
export async function waitToBeAlone(transaction: Transaction, accountId: AccountId): Promise<void> {
  // The keys of a chunk of the history are sorted. 100,000 of them fit into this memory.
  await transaction.$executeRaw`SELECT set_config('work_mem', '64MB', true)
    FROM pg_advisory_xact_lock(${lockOf(accountId)})`;
}

/** The same for a change that does not mix with a large one: one whose parts are written one after the other. */
export async function changeAlone(transaction: Transaction, accountId: AccountId): Promise<void> {
  await waitToBeAlone(transaction, accountId);
  if (await isUnderWay(transaction, accountId)) throw new LargeChangeUnderWay();
}

/** A large change of the same keys is under way. Nothing was changed; `afterLargeChange` tries again. */
export class LargeChangeUnderWay extends Error {}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Makes a change again, after the large change that it met is complete. The change must be a whole transaction, because
 * the large change may wait for what a transaction has locked. After 30 s it is 503.
 */
export async function afterLargeChange<Result>(
  db: Database,
  accountId: AccountId,
  change: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof LargeChangeUnderWay)) throw error;
    }
    do {
      if (performance.now() > deadline) throw failWith(errors.databaseAway());
      await delay(PAUSE_MS);
    } while (await isUnderWay(db.prisma, accountId));
  }
}

async function isUnderWay(db: Transaction, accountId: AccountId): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT FROM account WHERE id = ${accountId} AND limit_change_id IS NOT NULL`;
  return rows.length > 0;
}
