import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { countUpToLimit } from "../db/bounded-count";
import type { Database, Transaction } from "../db/client";
import { allowLargeRead } from "../db/large-read";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { beside, LargeChangeUnderWay } from "./change-order-queries";
import { changeMany, isChangedLargely } from "./change-queries";
import { type KeyChange, reasonToFail } from "./key-change";
import { conditions, type KeyFilter } from "./queries";
import type { NamedRequest } from "./repeated-request-queries";
import { KEYS_OF_CALL } from "./schema";
import { isOneOf } from "./selection";
import { isRevoked } from "./state";

// A change of all keys that match a filter is a walk: each call changes the next keys in the order of their ids, in one
// transaction with one event, and says where the next call begins. See docs/decisions/filtered-changes.md.

/** Keys that match a filter, from a place on. */
export interface FilteredKeys {
  filter: KeyFilter;
  /** Only keys with later ids. */
  after: string | undefined;
}

/** Keys that a change was not done to, by the reason. */
export interface LeftOut {
  reason: Failure;
  keyCount: number;
}

/** What one call of a walk has done. */
export interface WalkedPart {
  /** How many keys it came to. */
  seen: number;
  /** How many keys are now as the change wants them. */
  updated: number;
  /** How many of these were so before. */
  unchanged: number;
  leftOut: LeftOut[];
  /** After which key the next call begins; null: no key is left. */
  next: string | null;
}

/** `FROM … WHERE …` of the keys. */
function keysFound(accountId: AccountId, { filter, after }: FilteredKeys): Prisma.Sql {
  return Prisma.sql`FROM api_key key
    WHERE ${matchesFilter(accountId, { filter, after })}`;
}

/** The condition of the keys, of the rows `key`. */
export function matchesFilter(accountId: AccountId, { filter, after }: FilteredKeys): Prisma.Sql {
  const all = [Prisma.sql`key.account_id = ${accountId}`, ...conditions(accountId, filter)];
  if (after !== undefined) all.push(Prisma.sql`key.id > ${after}`);
  return Prisma.join(all, " AND ");
}

/** How many keys match, up to the limit of counts. */
export function countFound(
  db: Database,
  accountId: AccountId,
  keys: FilteredKeys,
): Promise<{ total: number; isTotalExact: boolean }> {
  return countUpToLimit(db, keysFound(accountId, keys));
}

/**
 * Changes the next keys that match, in the order of their ids, with one event.
 * @param request the request for it; undefined: it has no name.
 * @throws {LargeChangeUnderWay}
 */
export async function changeNextKeys(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  keys: FilteredKeys,
  change: KeyChange,
  request: NamedRequest | undefined,
): Promise<WalkedPart> {
  // Before the keys are locked: a change of a group must not wait for one of them while this waits for the group's.
  await transaction.$executeRaw`SELECT FROM ${beside(accountId)}`;
  await allowLargeRead(transaction);
  const found = await transaction.$queryRaw<{ id: string }[]>`
    SELECT key.id ${keysFound(accountId, keys)} ORDER BY key.account_id, key.id LIMIT ${KEYS_OF_CALL}`;
  const ids = found.map(({ id }) => id);
  const next = ids.length < KEYS_OF_CALL ? null : (ids.at(-1) ?? null);
  if (change.waits && (await isChangedLargely(transaction, accountId, ids))) throw new LargeChangeUnderWay();
  // Asked again with the lock: a key that was changed meanwhile may match no more.
  const locked = await transaction.$queryRaw<{ id: string; is_default: boolean; revoked: boolean }[]>`
    SELECT key.id, key.is_default, ${Prisma.raw(isRevoked)} AS revoked
    FROM api_key key
    WHERE key.id = ANY(${ids}) AND ${matchesFilter(accountId, { ...keys, after: undefined })}
    ORDER BY key.id FOR NO KEY UPDATE OF key`;
  const able: string[] = [];
  const leftOut = new Map<string, LeftOut>();
  for (const key of locked) {
    const reason = reasonToFail(key, change);
    if (reason === undefined) able.push(key.id);
    else leftOut.set(reason.code, { reason, keyCount: (leftOut.get(reason.code)?.keyCount ?? 0) + 1 });
  }
  const which = isOneOf(accountId, able);
  const changed =
    able.length === 0
      ? 0
      : await changeMany(
          transaction,
          accountId,
          actor,
          which,
          change,
          request && { ...request, updated: able.length, next },
        );
  return {
    seen: ids.length,
    updated: able.length,
    unchanged: able.length - changed,
    leftOut: [...leftOut.values()],
    next,
  };
}
