import { randomBytes } from "node:crypto";
import type { Database, Transaction } from "../db/client";
import { isUniqueViolation } from "../db/unique-violation";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import type { AccountId } from "./account-id";
import { liftLockOuts } from "./attempts";
import { passwordRefusal } from "./password-refusal";
import { endSecondFactor, insertAccount, replacePassword } from "./queries";
import { type CreatedAccount, emailAddress, newPassword } from "./schema";

/** An account that is about to be created. */
export interface NewAccount {
  /** Unique in the deployment, in any letter case. */
  email: string;
  /** Absent: the account has no password and signs in in another way. */
  password?: string;
  /** Whether `makePassword` has made it. Nobody guesses such a password, so the rules for it are not even loaded. */
  isPasswordMade?: boolean;
  /** Settings that the owner has chosen; the database knows the zone. An absent one has its default. */
  settings?: { time_zone?: string | undefined; language?: string | null | undefined };
  /** Whether the address is proven to be the owner's. */
  isProven: boolean;
  keyPrefix: string;
  /** The actor of the event. Without a name, it is the new account itself. */
  by: Pick<Actor, "kind" | "address"> & { name?: string };
}

/** An account cannot be created or recovered. Thrown, so that the transaction is rolled back. The message says why. */
export class AccountError extends Error {
  constructor(
    message: string,
    /** The failure of a password that is too easy to guess. */
    readonly failure?: Failure,
  ) {
    super(message);
  }
}
/** There is an account with the email already. */
export class EmailTaken extends AccountError {}

/**
 * Creates an account with its default key, its password and its first event, all or nothing. Every account is created
 * by this function.
 * @param claim checks a condition first, in the same transaction. It throws when the condition does not hold.
 * @throws {AccountError} when the address is not an email address or is taken, or the password is refused.
 */
export async function createAccount(
  { prisma }: Pick<Database, "prisma">,
  { email: address, password, isPasswordMade = false, settings = {}, isProven, keyPrefix, by }: NewAccount,
  claim: (transaction: Transaction) => Promise<void> = async () => {},
): Promise<CreatedAccount> {
  const email = checked("email", emailAddress.safeParse(address));
  const passwordHash = password === undefined ? undefined : await hashedIfAllowed(password, email, isPasswordMade);
  const { time_zone: timeZone, language } = settings;
  const key = makeKeyValue(keyPrefix);
  const id = newObjectId() as AccountId;
  try {
    await prisma.$transaction(async (transaction) => {
      await claim(transaction);
      await insertAccount(transaction, {
        id,
        email,
        isProven,
        timeZone,
        language,
        passwordHash,
        keyId: key.id,
        keyHash: hashKeyValue(key.value),
      });
      const actor = { name: email, ...by };
      await recordEvent(transaction, id, actor, {
        action: "account.created",
        after: { email, apikey_id: key.id, ...settings },
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new EmailTaken(`email: an account for ${email} exists already`);
  }
  return { account_id: id, email, apikey: key.value };
}

/** How an operator helps an owner who has lost the password or the second factor. */
export interface Recovery {
  email: string;
  password: string;
  /** As for a new account. */
  isPasswordMade: boolean;
  /** Whether the second factor is turned off too. */
  endsSecondFactor: boolean;
  by: Actor;
}

/**
 * Gives an account a new password, ends its sessions and lifts its lock-outs, with the events, all or nothing.
 * @throws {AccountError} when there is no such account, or the password is refused.
 */
export async function recoverAccount(
  { prisma }: Pick<Database, "prisma">,
  { email: address, password, isPasswordMade, endsSecondFactor, by }: Recovery,
): Promise<void> {
  const email = checked("email", emailAddress.safeParse(address));
  const passwordHash = await hashedIfAllowed(password, email, isPasswordMade);
  await prisma.$transaction(async (transaction) => {
    const account = await transaction.account.findUnique({
      where: { email },
      select: { id: true, twoFactorEnabled: true },
    });
    if (!account) throw new AccountError(`email: there is no account for ${email}`);
    const accountId = account.id as AccountId;
    await recordEvent(transaction, accountId, by, { action: "sign_in.recovered" });
    await replacePassword(transaction, accountId, passwordHash);
    // After the account is locked: new backup codes lock it before the second factor too.
    await liftLockOuts(transaction, accountId, email);
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

/**
 * Hashes with better-auth's own function, because better-auth checks the password later.
 * @throws {AccountError} when the rules for new passwords refuse it.
 */
async function hashedIfAllowed(password: string, email: string, isMade: boolean): Promise<string> {
  checked("password", newPassword.safeParse(password));
  const refusal = isMade ? undefined : await passwordRefusal("password", password, email);
  if (refusal) throw new AccountError(refusal.message, refusal);
  const { hashPassword } = await import("better-auth/crypto");
  return hashPassword(password);
}
