import { z } from "zod";
import type { Database } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { insertAccount } from "./queries";

/** A new account and the value of its default key, which is shown this once. */
export interface CreatedAccount {
  account_id: string;
  email: string;
  apikey: string;
}

/** An account that cannot be created; the message says why in one line. */
export class AccountError extends Error {}

const email = z.email().max(254);

/**
 * Creates an account with its default key.
 * @param address unique over the deployment, whatever its letter case.
 * @throws {AccountError} when the address is not an email address or is taken; nothing is created then.
 */
export async function createAccount(db: Database, address: string, keyPrefix: string): Promise<CreatedAccount> {
  const parsed = email.safeParse(address.trim().toLowerCase());
  if (!parsed.success) throw new AccountError("email: must be an email address of at most 254 characters");
  const key = makeKeyValue(keyPrefix);
  const account = { id: newObjectId(), email: parsed.data, keyId: key.id, keyHash: hashKeyValue(key.value) };
  if (!(await insertAccount(db, account)))
    throw new AccountError(`email: an account for ${parsed.data} exists already`);
  return { account_id: account.id, email: parsed.data, apikey: key.value };
}
