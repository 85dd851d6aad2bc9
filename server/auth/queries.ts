import type { Database, Transaction } from "../db/client";
import { run } from "../db/statement";
import { newObjectId } from "../input/new-object-id";
import type { AccountId } from "./account-id";
import { SESSION_SECONDS } from "./session-end";
import { hashSessionToken } from "./session-token";
import { FIND_SESSION } from "./statements/find-session";

/** The account behind the token of a session that is not over, with the email that names the caller. */
export async function findSession(
  { lookUpPool }: Database,
  token: string,
): Promise<{ id: string; accountId: string; email: string; lastUsedAt: Date } | undefined> {
  const [row] = await run(lookUpPool, FIND_SESSION, [hashSessionToken(token)]);
  return row && { id: row.id, accountId: row.account_id, email: row.email, lastUsedAt: row.updated_at };
}

/** Notes that a session is used now. It ends after so many days without use, and 30 days after the sign-in. */
export async function touchSession({ prisma }: Database, id: string, idleDays: number): Promise<void> {
  await prisma.$executeRaw`
    UPDATE session
    SET updated_at = now(), expires_at = least(created_at + ${SESSION_SECONDS} * interval '1 s', now() + ${idleDays} * interval '1 day')
    WHERE id = ${id} AND expires_at > now()`;
}

/** Whether the owner has signed in to this session, or proved in it who they are, within so many seconds. */
export async function findProof(
  { prisma }: Database,
  accountId: AccountId,
  sessionId: string,
  seconds: number,
): Promise<boolean> {
  const found = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM session
    WHERE id = ${sessionId} AND account_id = ${accountId} AND proved_at > now() - make_interval(secs => ${seconds})`;
  return found.length > 0;
}

/** Notes that the owner has proved now who they are. */
export async function noteProof({ prisma }: Database, accountId: AccountId, sessionId: string): Promise<void> {
  await prisma.$executeRaw`UPDATE session SET proved_at = now() WHERE id = ${sessionId} AND account_id = ${accountId}`;
}

/** The account of a sign-in that waits for a second factor, by better-auth's name of it. */
export async function findWaitingAccount({ prisma }: Database, identifier: string): Promise<string | undefined> {
  const where = { identifier, expiresAt: { gt: new Date() } };
  return (await prisma.verification.findFirst({ where, select: { value: true } }))?.value;
}

/** Ends one session of any account. */
export async function endSession({ prisma }: Database, id: string): Promise<void> {
  await prisma.session.deleteMany({ where: { id } });
}

/** Inserts an account with its default key, and its password where it has one. */
export async function insertAccount(
  transaction: Transaction,
  account: {
    id: string;
    email: string;
    isProven: boolean;
    /** Absent: the default of the database. */
    timeZone: string | undefined;
    /** Absent or `null`: that of the browser. */
    language: string | null | undefined;
    /** A hash of better-auth's function. */
    passwordHash: string | undefined;
    keyId: string;
    keyHash: Buffer;
  },
): Promise<void> {
  const { id, email, isProven, timeZone, language, passwordHash: password, keyId, keyHash } = account;
  const hash = new Uint8Array(keyHash);
  // It leads to nothing as long as the key is not there.
  await transaction.keyRoute.create({ data: { hash, accountId: id, keyId }, select: { keyId: true } });
  await transaction.account.create({
    data: {
      id,
      email,
      emailVerified: isProven,
      ...(timeZone !== undefined && { timeZone }),
      ...(language !== undefined && { language }),
      keys: { create: { id: keyId, name: "default", isDefault: true, valueHash: hash } },
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
  await holdSignIns(transaction, accountId);
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
  await endSessions(transaction, accountId);
}

/** Waits for the sign-ins to an account that are being completed, and lets no other be until the transaction ends. */
export async function holdSignIns(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.$queryRaw`SELECT id FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
}

/**
 * Waits for a change that holds sign-ins back, and lets none begin until the transaction ends.
 * @returns whether the account is disabled.
 */
export async function joinSignIns(transaction: Transaction, accountId: string): Promise<boolean> {
  const [account] = await transaction.$queryRaw<{ disabled_at: Date | null }[]>`
    SELECT disabled_at FROM account WHERE id = ${accountId} FOR SHARE`;
  return account?.disabled_at != null;
}

/** The password of an account as it is stored; `null` where it has none. */
export async function findPassword(
  { signInMethod }: Pick<Transaction, "signInMethod">,
  accountId: string,
): Promise<string | null> {
  const method = await signInMethod.findFirst({
    where: { userId: accountId, providerId: "credential" },
    select: { password: true },
  });
  return method?.password ?? null;
}

/** Ends the sessions of an account, and the sign-ins that have begun. */
export async function endSessions(transaction: Transaction, accountId: AccountId): Promise<void> {
  await transaction.session.deleteMany({ where: { userId: accountId } });
  await endPendingSignIns(transaction, accountId);
}

/**
 * Ends what was begun with the old password: sign-ins that wait for a second factor, and devices that an older version
 * let pass without one.
 */
export async function endPendingSignIns(transaction: Transaction, accountId: AccountId): Promise<void> {
  await transaction.verification.deleteMany({
    where: {
      value: accountId,
      OR: [{ identifier: { startsWith: "2fa-" } }, { identifier: { startsWith: "trust-device-" } }],
    },
  });
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
