import { createHmac, randomBytes } from "node:crypto";
import { LOCKS } from "../db/advisory-locks";
import type { Database, Transaction } from "../db/client";
import { hasNoAccount } from "./queries";
import type { AuthSecrets } from "./secret";
import { hashToken, IDENTIFIER, isSetUpToken, validToken } from "./set-up-token";

const VALID_MS = 24 * 60 * 60 * 1000;

/** The token of the set-up link is wrong, used or expired, or there is an account already. */
export class SetUpLinkInvalid extends Error {}

/**
 * The token of the set-up link, while there is no account. It is valid once, for 24 hours from now. Several servers on one
 * database print the same link: the token follows from their secret and from a random id in the database, which keeps only
 * the hash of the token.
 * @returns undefined when there is an account.
 */
export async function setUpToken({ prisma }: Database, { current }: AuthSecrets): Promise<string | undefined> {
  return prisma.$transaction(async (transaction) => {
    // Servers that start at once wait for each other here, so that there is one token.
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${LOCKS.setUp})`;
    const isKept = { identifier: IDENTIFIER, expiresAt: { gt: new Date() } };
    const kept = await transaction.verification.findFirst({ where: isKept, select: { id: true, value: true } });
    const id = kept && hashToken(tokenOf(kept.id, current)) === kept.value ? kept.id : randomBytes(32).toString("hex");
    await transaction.verification.deleteMany({ where: { identifier: IDENTIFIER } });
    if (!(await hasNoAccount(transaction))) return undefined;
    const token = tokenOf(id, current);
    const expiresAt = new Date(Date.now() + VALID_MS);
    await transaction.verification.create({
      data: { id, identifier: IDENTIFIER, value: hashToken(token), expiresAt },
    });
    return token;
  });
}

function tokenOf(id: string, secret: string): string {
  return createHmac("sha256", secret).update(`set-up link ${id}`).digest("base64url");
}

/**
 * Checks the token before any work is done for it, such as hashing a password.
 * @throws {SetUpLinkInvalid}
 */
export async function requireSetUpToken({ prisma }: Pick<Database, "prisma">, token: string): Promise<void> {
  if (!(await isSetUpToken({ prisma }, token))) throw new SetUpLinkInvalid();
}

/**
 * Uses the token up, in the transaction that creates the first account. When two people have the link, one of them gets
 * the account.
 * @throws {SetUpLinkInvalid}
 */
export async function claimSetUp(transaction: Transaction, token: string): Promise<void> {
  const { count } = await transaction.verification.deleteMany({ where: validToken(token) });
  if (count === 0 || !(await hasNoAccount(transaction))) throw new SetUpLinkInvalid();
}
