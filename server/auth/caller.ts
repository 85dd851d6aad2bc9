import type { Database } from "../db/client";
import { DatabaseNotReady } from "../db/failure";
import { hashKeyValue, isKeyValue } from "../keys/key-value";
import type { AccountId } from "./account-id";
import { findCaller } from "./queries";

/** Whoever presented a valid key. */
export interface Caller {
  accountId: AccountId;
  /** Whether the key is the account's default key, the only one that may manage keys and groups. */
  isDefault: boolean;
}

const BEARER = /^bearer +(\S+) *$/i;

/**
 * The caller behind an `Authorization: Bearer <API_KEY>` header (contract, section 5); undefined when the header or
 * the key is missing, malformed, unknown, expired, disabled or revoked, which nobody can tell apart.
 */
export async function recognizeCaller(
  { db, isMigrated }: { db: Database; isMigrated(): boolean },
  authorization: string | undefined,
): Promise<Caller | undefined> {
  const value = BEARER.exec(authorization ?? "")?.[1];
  if (value === undefined || !isKeyValue(value)) return undefined;
  if (!isMigrated()) throw new DatabaseNotReady();
  const found = await findCaller(db, hashKeyValue(value));
  return found && { accountId: found.accountId as AccountId, isDefault: found.isDefault };
}
