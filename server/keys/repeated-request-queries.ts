import { createHash } from "node:crypto";
import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { HASHED_LOCKS } from "../db/advisory-locks";
import type { Transaction } from "../db/client";
import { keysOfEventAfter } from "../history/event-keys";
import { LargeChangeUnderWay } from "./change-order-queries";
import type { KeyChange } from "./key-change";
import type { KeyFilter } from "./queries";

// A relative change that is sent twice would be made twice. So a caller may name a request, and the id of its event follows
// from the name: where the event is there, the change is made.

/** The keys that a request is for. A walk through a filter goes on behind the key `after`. */
export type RequestTarget =
  | { apikeyIds: readonly string[] }
  | { groupId: string }
  | { filter: KeyFilter; after: string | undefined };

/** A request for a change, which its caller has given a name. */
export interface NamedRequest {
  /** The id of its event. */
  eventId: string;
  /** Stands for its keys: SHA-256, because a list may have a thousand ids. */
  target: string;
}

/** Undefined: the request has no name. A walk has the same name for each of its calls, so their places count too. */
export function namedRequest(
  accountId: AccountId,
  requestId: string | undefined,
  target: RequestTarget,
): NamedRequest | undefined {
  if (requestId === undefined) return undefined;
  const after = "filter" in target ? target.after : undefined;
  return { eventId: eventOfRequest(accountId, requestId, after), target: hashOf(namesOfKeys(target)) };
}

/** The id of the event of a named request, if it has changed anything. @param after where a call of a walk goes on. */
export function eventOfRequest(accountId: AccountId, requestId: string, after?: string): string {
  return hashOf([accountId, requestId, after ?? null]).slice(0, 24);
}

/** The same for the same keys, in whatever order a list has them. */
function namesOfKeys(target: RequestTarget): unknown {
  if ("apikeyIds" in target) return { apikeyIds: [...new Set(target.apikeyIds)].sort() };
  if ("groupId" in target) return target;
  const { search, group, status, look } = target.filter;
  return { filter: { search, group, status, look } };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** What a request has changed that is sent again. */
export interface MadeChange {
  eventId: string;
  /** Whether it was the same change of the same keys. */
  isSame: boolean;
  /** How many keys were as asked for after it, as it answered, and how many of these it changed. */
  updated: number;
  keyCount: number;
  /** What it answered as `next`. */
  next: string | null;
}

/**
 * The change of a named request. Undefined: nothing was changed. Call it first in the transaction: the same request waits. The
 * event of an older version does not say for which keys it was, nor what it answered as `next`: that was near its last key.
 * The group that keys were moved to is known by its id, because its name may be another one by now.
 * @throws {LargeChangeUnderWay} while a large change has the name. Its event is not there before it is complete.
 */
export async function changeMadeBy(
  transaction: Transaction,
  accountId: AccountId,
  { eventId, target }: NamedRequest,
  { action, after = {} }: KeyChange,
): Promise<MadeChange | undefined> {
  await transaction.$executeRaw`SELECT FROM pg_advisory_xact_lock(${HASHED_LOCKS.namedRequest}::int, hashtext(${eventId}))`;
  const underWay = await transaction.$queryRaw<unknown[]>`
    SELECT FROM account WHERE id = ${accountId} AND limit_change_id = ${eventId}`;
  if (underWay.length > 0) throw new LargeChangeUnderWay();
  const lastKeyId = Prisma.sql`GREATEST(
    (SELECT max(key_id) FROM event_key WHERE account_id = ${accountId} AND event_id = ${eventId}),
    (SELECT max(last_key_id) FROM event_key_chunk WHERE account_id = ${accountId} AND event_id = ${eventId}))`;
  const [event] = await transaction.$queryRaw<MadeChange[]>`
    SELECT id AS "eventId", action = ${action} AND after - 'group' = ${JSON.stringify(after)}::jsonb - 'group'
        AND coalesce(request ->> 'target' = ${target}, true) AS "isSame",
      key_count AS "keyCount", coalesce((request ->> 'updated')::int, key_count) AS updated,
      CASE WHEN request IS NULL THEN ${lastKeyId} ELSE request ->> 'next' END AS next
    FROM event WHERE account_id = ${accountId} AND id = ${eventId}`;
  return event;
}

/**
 * Which keys of a list a named request has not changed. What it has done to a key, as to revoke it, may be why it could not be
 * done now. A list has no more keys than one part of an event.
 */
export async function keysLeftBy(
  transaction: Transaction,
  accountId: AccountId,
  { eventId }: MadeChange,
  apikeyIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ key_id: string }[]>(keysOfEventAfter(accountId, eventId, ""));
  const changed = new Set(rows.map(({ key_id }) => key_id));
  return apikeyIds.filter((id) => !changed.has(id));
}
