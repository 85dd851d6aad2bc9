import { createHash, randomBytes } from "node:crypto";
import type { Database, Transaction } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import { hasNoAccount } from "./queries";

const IDENTIFIER = "set-up";
const VALID_MS = 24 * 60 * 60 * 1000;

/** The token of the set-up link is wrong, used or expired, or there is an account already. */
export class SetUpLinkInvalid extends Error {}

/**
 * Renews the token of the set-up link, while there is no account. Only its hash is kept; it is valid for 24 hours, once.
 * @returns undefined when there is an account.
 */
export async function renewSetUpToken({ prisma }: Database): Promise<string | undefined> {
  const token = randomBytes(32).toString("base64url");
  return prisma.$transaction(async (transaction) => {
    await transaction.verification.deleteMany({ where: { identifier: IDENTIFIER } });
    if (!(await hasNoAccount(transaction))) return undefined;
    const expiresAt = new Date(Date.now() + VALID_MS);
    await transaction.verification.create({
      data: { id: newObjectId(), identifier: IDENTIFIER, value: hashToken(token), expiresAt },
    });
    return token;
  });
}

/**
 * Checks the token before any work is done for it, such as hashing a password.
 * @throws {SetUpLinkInvalid}
 */
export async function requireSetUpToken({ prisma }: Database, token: string): Promise<void> {
  if ((await prisma.verification.count({ where: validToken(token) })) === 0) throw new SetUpLinkInvalid();
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

function validToken(token: string) {
  return { identifier: IDENTIFIER, value: hashToken(token), expiresAt: { gt: new Date() } };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
