import type { Database, Transaction } from "../db/client";
import { run } from "../db/statement";
import { newObjectId } from "../input/new-object-id";
import type { AccountId } from "./account-id";
import { FIND_SESSION } from "./statements/find-session";

/** The account behind the token of a session that is not over, with the email that names the caller. */
export async function findSession(
  { lookUpPool }: Database,
  token: string,
): Promise<{ id: string; accountId: string; email: string; lastUsedAt: Date } | undefined> {
  const [row] = await run(lookUpPool, FIND_SESSION, [token]);
  return row && { id: row.id, accountId: row.account_id, email: row.email, lastUsedAt: row.updated_at };
}

/** Sets the time of the last use of a session to now. */
export async function touchSession(db: Database, id: string): Promise<void> {
  await db.prisma.session.updateMany({ where: { id }, data: { updatedAt: new Date() } });
}

/** Inserts an account with its default key, and its password where it has one. */
export async function insertAccount(
  transaction: Transaction,
  account: {
    id: string;
    email: string;
    isProven: boolean;
    /** A hash of better-auth's function. */
    passwordHash: string | undefined;
    keyId: string;
    keyHash: Buffer;
  },
): Promise<void> {
  const { id, email, isProven, passwordHash: password, keyId, keyHash } = account;
  const secrets = { create: { hash: new Uint8Array(keyHash) } };
  await transaction.account.create({
    data: {
      id,
      email,
      emailVerified: isProven,
      keys: { create: { id: keyId, name: "default", isDefault: true, secrets } },
      ...(password !== undefined && {
        signInMethods: { create: { id: newObjectId(), providerId: "credential", accountId: id, password } },
      }),
    },
    select: { id: true },
  });
}

/** Whether there is no account yet. */
export async function hasNoAccount(transaction: Transaction): Promise<boolean> {
  return (await transaction.account.findFirst({ select: { id: true } })) === null;
}

/** Writes the password of an account and ends its sessions. An account without a password gets one. */
export async function replacePassword(
  transaction: Transaction,
  accountId: AccountId,
  passwordHash: string,
): Promise<void> {
  const { count } = await transaction.signInMethod.updateMany({
    where: { userId: accountId, providerId: "credential" },
    data: { password: passwordHash, updatedAt: new Date() },
  });
  if (count === 0) {
    const method = {
      id: newObjectId(),
      userId: accountId,
      providerId: "credential",
      accountId,
      password: passwordHash,
    };
    await transaction.signInMethod.create({ data: method, select: { id: true } });
  }
  await transaction.session.deleteMany({ where: { userId: accountId } });
}

/** Turns the second factor of an account off, and deletes its secret and its backup codes. */
export async function endSecondFactor(transaction: Transaction, accountId: AccountId): Promise<void> {
  await transaction.twoFactor.deleteMany({ where: { userId: accountId } });
  await transaction.account.update({
    where: { id: accountId },
    data: { twoFactorEnabled: false },
    select: { id: true },
  });
}
