import { randomBytes } from "node:crypto";
import { Prisma } from "@/prisma/generated/client";
import type { Database, Transaction } from "../db/client";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import type { AccountId } from "./account-id";
import { endSecondFactor, insertAccount, replacePassword } from "./queries";
import { type CreatedAccount, emailAddress, newPassword } from "./schema";

/** What an account is made of. */
export interface NewAccount {
  /** Unique over the deployment, whatever its letter case. */
  email: string;
  /** Absent: the account signs in by other means. */
  password?: string;
  /** Whether it is certain that the address is the owner's: only then may a single sign-on with it open the account. */
  isProven: boolean;
  keyPrefix: string;
  /** Who makes it. */
  by: Pick<Actor, "kind" | "address"> & { name?: string };
}

/** An account that cannot be created; the message says why in one line. */
export class AccountError extends Error {}

/**
 * Creates an account with its default key, its password and the first line of its history, all or nothing. Every
 * account comes from here.
 * @param claim what else must hold, asked first in the same transaction; it throws where it does not.
 * @throws {AccountError} when the address is not an email address or is taken, or the password is too short or long.
 */
export async function createAccount(
  { prisma }: Pick<Database, "prisma">,
  { email: address, password, isProven, keyPrefix, by }: NewAccount,
  claim: (transaction: Transaction) => Promise<void> = async () => {},
): Promise<CreatedAccount> {
  const email = checked("email", emailAddress.safeParse(address));
  const passwordHash =
    password === undefined ? undefined : await hashed(checked("password", newPassword.safeParse(password)));
  const key = makeKeyValue(keyPrefix);
  const id = newObjectId() as AccountId;
  try {
    await prisma.$transaction(async (transaction) => {
      await claim(transaction);
      await insertAccount(transaction, {
        id,
        email,
        isProven,
        passwordHash,
        keyId: key.id,
        keyHash: hashKeyValue(key.value),
      });
      const actor = { name: email, ...by };
      await recordEvent(transaction, id, actor, { action: "account.created", after: { email, apikey_id: key.id } });
    });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
    throw new AccountError(`email: an account for ${email} exists already`);
  }
  return { account_id: id, email, apikey: key.value };
}

/** How an operator lets somebody in again who lost the password or the second factor. */
export interface Recovery {
  email: string;
  password: string;
  /** Whether the second factor is turned off too. */
  endsSecondFactor: boolean;
  by: Actor;
}

/**
 * Gives an account another password, or its first, and ends its sessions, with its history, all or nothing.
 * @throws {AccountError} when there is no such account, or the password is too short or long.
 */
export async function recoverAccount(
  { prisma }: Pick<Database, "prisma">,
  { email: address, password, endsSecondFactor, by }: Recovery,
): Promise<void> {
  const email = checked("email", emailAddress.safeParse(address));
  const passwordHash = await hashed(checked("password", newPassword.safeParse(password)));
  await prisma.$transaction(async (transaction) => {
    const account = await transaction.account.findUnique({
      where: { email },
      select: { id: true, twoFactorEnabled: true },
    });
    if (!account) throw new AccountError(`email: there is no account for ${email}`);
    const accountId = account.id as AccountId;
    await replacePassword(transaction, accountId, passwordHash);
    await recordEvent(transaction, accountId, by, { action: "sign_in.password_changed" });
    if (endsSecondFactor && account.twoFactorEnabled) {
      await endSecondFactor(transaction, accountId);
      await recordEvent(transaction, accountId, by, { action: "sign_in.totp_disabled" });
    }
  });
}

/** A password of 120 random bits, for an account whose owner has not chosen one. */
export function makePassword(): string {
  return randomBytes(15).toString("base64url");
}

function checked(name: string, { data, error }: { data?: string; error?: { issues: { message: string }[] } }): string {
  if (data === undefined) throw new AccountError(`${name}: ${error?.issues[0]?.message}`);
  return data;
}

/** Hashes with better-auth's own function, because better-auth checks the password later. */
async function hashed(password: string): Promise<string> {
  const { hashPassword } = await import("better-auth/crypto");
  return hashPassword(password);
}
