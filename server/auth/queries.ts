import type { Database, Transaction } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import type { AccountId } from "./account-id";

/**
 * The account and key behind the hash of a key value, if the key is valid at this moment of the database's clock.
 * A named prepared statement because every request makes it: `npm run bench` shows what that gains.
 */
export async function findCaller(
  db: Database,
  hash: Buffer,
): Promise<{ accountId: string; keyId: string; isDefault: boolean } | undefined> {
  const { rows } = await db.pool.query<{ account_id: string; id: string; is_default: boolean }>({
    name: "find-caller",
    text: `SELECT key.account_id, key.id, key.is_default
      FROM key_secret secret
      JOIN api_key key ON key.account_id = secret.account_id AND key.id = secret.key_id
      JOIN account ON account.id = key.account_id
      WHERE secret.hash = $1
        AND (secret.expires_at IS NULL OR secret.expires_at > now())
        AND key.disabled_at IS NULL AND key.revoked_at IS NULL
        AND (key.expiry_date IS NULL OR key.expiry_date >= (now() AT TIME ZONE account.time_zone)::date)`,
    values: [hash],
  });
  return rows[0] && { accountId: rows[0].account_id, keyId: rows[0].id, isDefault: rows[0].is_default };
}

/** The account behind the token of a session that is not over, with what names the caller. */
export async function findSession(
  db: Database,
  token: string,
): Promise<{ id: string; accountId: string; email: string; lastUsedAt: Date } | undefined> {
  const { rows } = await db.pool.query<{ id: string; account_id: string; email: string; updated_at: Date }>({
    name: "find-session",
    text: `SELECT session.id, session.account_id, account.email, session.updated_at
      FROM session JOIN account ON account.id = session.account_id
      WHERE session.token = $1 AND session.expires_at > now()`,
    values: [token],
  });
  const [row] = rows;
  return row && { id: row.id, accountId: row.account_id, email: row.email, lastUsedAt: row.updated_at };
}

/** Writes that a session is in use now. */
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
    /** Made by better-auth's function. */
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
