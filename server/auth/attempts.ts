import type { Database, Transaction } from "../db/client";
import { run } from "../db/statement";
import { newObjectId } from "../input/new-object-id";
import { type AttemptLimit, EXEMPTION_MS, keyOfEmail, passwordLimit, secondFactorLimit } from "./attempt-limits";
import { COUNT_ATTEMPT } from "./statements/count-attempt";

/**
 * Counts an attempt before it is made, so that many attempts at once cannot all pass. One statement for each limit counts
 * and decides.
 * @returns the seconds to wait when there were too many attempts; `undefined` when the attempt may be made.
 */
export async function countAttempt(db: Database, limits: readonly AttemptLimit[]): Promise<number | undefined> {
  const now = Date.now();
  for (const { key, max, window, exemption } of limits) {
    const [row] = await run(db.lookUpPool, COUNT_ATTEMPT, [newObjectId(), key, now, now - window * 1000]);
    if (row === undefined || row.count <= max) continue;
    if (exemption !== undefined && (await isExempt(db, exemption))) continue;
    return Math.max(1, Math.ceil((Number(row.begun) + window * 1000 - now) / 1000));
  }
  return undefined;
}

/** Notes that a counted attempt was a success. */
export async function noteSuccess({ prisma, lookUpPool }: Database, limits: readonly AttemptLimit[]): Promise<void> {
  for (const { key, success, exemption } of limits) {
    if (success === "does not count") {
      await prisma.rateLimit.updateMany({ where: { key, count: { gt: 0 } }, data: { count: { decrement: 1 } } });
    }
    if (success === "clears") await prisma.rateLimit.deleteMany({ where: { key } });
    const now = Date.now();
    if (exemption !== undefined) await run(lookUpPool, COUNT_ATTEMPT, [newObjectId(), exemption, now, now]);
  }
}

/** Lifts the lock-outs of an account, whoever has caused them: passwords and second factors. */
export async function liftLockOuts(transaction: Transaction, accountId: string, email: string): Promise<void> {
  const keys = [passwordLimit, secondFactorLimit].map((limit) => ({ key: limit(accountId).key }));
  await transaction.rateLimit.deleteMany({ where: { OR: [{ key: { startsWith: keyOfEmail(email) } }, ...keys] } });
  const data = { failedVerificationCount: 0, lockedUntil: null };
  await transaction.twoFactor.updateMany({ where: { userId: accountId }, data });
}

async function isExempt({ prisma }: Database, key: string): Promise<boolean> {
  const row = await prisma.rateLimit.findUnique({ where: { key }, select: { lastRequest: true } });
  return row !== null && Number(row.lastRequest) > Date.now() - EXEMPTION_MS;
}
