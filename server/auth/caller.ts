import type { Database } from "../db/client";
import { DatabaseNotReady } from "../db/failure";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import type { Actor } from "../history/actor";
import { hashKeyValue, isKeyValue } from "../keys/key-value";
import type { AccountId } from "./account-id";
import { bearerOf, isAmbiguous } from "./bearer";
import type { AuthSecrets } from "./secret";
import type { ValidKeys } from "./valid-keys";

/** The sender of a request with a valid key, or with a session of the dashboard. */
export interface Caller {
  accountId: AccountId;
  /** Whether the caller may manage keys and groups. The default key and a session may. */
  mayManage: boolean;
  /** Whether the key has a newer value than the one that was presented; absent for a session. */
  isInGrace?: boolean;
  /** SHA-256 of the value that was presented; absent for a session. */
  valueHash?: Buffer;
  actor: Actor;
  /** The session of a browser; absent for a key. */
  sessionId?: string;
}

/** What recognising a caller needs. It is the same for all requests of a process. */
export interface CallerSource {
  db: Database;
  validKeys: ValidKeys;
  /** Whether the migrations have been applied. */
  isMigrated(): boolean;
  /** They sign session cookies. */
  secrets: AuthSecrets;
  /** After how many days without use a session ends. */
  sessionIdleDays: number;
}

/**
 * The caller behind an `Authorization: Bearer <API_KEY>` header (docs/api.md#authentication). `undefined` when the header
 * or the key is missing, malformed, unknown, expired, disabled or revoked: a caller cannot tell these apart.
 * @throws 401 when the request has several such headers, whatever is in them.
 */
export async function recognizeKey(
  { validKeys, isMigrated }: CallerSource,
  authorization: string | undefined,
  address: string | null,
): Promise<Caller | undefined> {
  const value = bearerOf(authorization);
  if (value === undefined && isAmbiguous(authorization)) throw failWith(errors.severalCredentials());
  if (value === undefined || !isKeyValue(value)) return undefined;
  if (!isMigrated()) throw new DatabaseNotReady();
  const valueHash = hashKeyValue(value);
  const found = await validKeys.find(valueHash);
  return (
    found && {
      accountId: found.accountId,
      mayManage: found.isDefault,
      isInGrace: found.isInGrace,
      valueHash,
      actor: { kind: "rest", name: found.keyId, address },
    }
  );
}
