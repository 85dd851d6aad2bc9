import { createHash } from "node:crypto";
import type { Database, Transaction } from "../db/client";
import { run } from "../db/statement";
import { newObjectId } from "../input/new-object-id";
import { COUNT_ATTEMPT } from "./statements/count-attempt";

/** How often one thing may be tried. */
export interface AttemptLimit {
  /** Names what is counted, and the address or account that it is counted for. */
  key: string;
  max: number;
  /** In seconds from the first attempt. After that, the count begins again at 1. */
  window: number;
  /** Whether a success counts as an attempt, does not count, or clears the count. */
  success: "counts" | "does not count" | "clears";
  /** A success is remembered under this key for 30 days. Where it is remembered, the limit refuses nothing. */
  exemption?: string;
}

const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;
/** Begins the key of each exemption. */
export const EXEMPTION = "known: ";
/** How long a success is remembered, in milliseconds. */
export const EXEMPTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The limits of passwords for an email. One network alone is locked out after a few wrong ones. The limit for all networks
 * together is slower than one network can reach, and does not hold where the email has signed in before, so that a stranger
 * does not keep the owner out. An email without an account has the same limits.
 */
export function emailLimits(email: string, network: string): AttemptLimit[] {
  const key = keyOfEmail(email);
  const fromHere = `${key} from ${network}`;
  return [
    { key: fromHere, max: 10, window: QUARTER_HOUR, success: "clears" },
    { key, max: 100, window: HOUR, success: "does not count", exemption: EXEMPTION + fromHere },
  ];
}

/** The limit of passwords, asked for in a session. */
export function passwordLimit(owner: string): AttemptLimit {
  return { key: `password of ${owner}`, max: 10, window: QUARTER_HOUR, success: "clears" };
}

/**
 * The limit of second factors, asked for after a password. better-auth counts those that were wrong, after it has compared them,
 * so many at once would all be compared.
 */
export function secondFactorLimit(accountId: string): AttemptLimit {
  return { key: `second factor of ${accountId}`, max: 10, window: QUARTER_HOUR, success: "clears" };
}

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

/** The email itself is not kept, because it may be that of a stranger. */
function keyOfEmail(email: string): string {
  return `sign-in as ${createHash("sha256").update(email.trim().toLowerCase()).digest("base64url")}`;
}

async function isExempt({ prisma }: Database, key: string): Promise<boolean> {
  const row = await prisma.rateLimit.findUnique({ where: { key }, select: { lastRequest: true } });
  return row !== null && Number(row.lastRequest) > Date.now() - EXEMPTION_MS;
}
