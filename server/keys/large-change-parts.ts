import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { countKeys } from "../groups/count-queries";
import type { Actor } from "../history/actor";
import { afterColumns, beforeColumns } from "../history/key-values";
import { forgetKeysOfLargeEvent, keysOfLargeEvent, type NewKeysEvent, recordLargeEvent } from "../history/recording";
import { newObjectId } from "../input/new-object-id";
import type { LimitChanges } from "../limits/apply";
import { keptBefore, keptLimits, limitAssignments, restoredLimits, writtenLimits } from "../limits/columns";
import { changeAlone, waitToBeAlone } from "./change-order-queries";
import { estimateKeys } from "./estimate-queries";
import { limitsChangeOfMany } from "./key-change";
import { isInGroup } from "./selection";
import { isKept } from "./state";

// A large change of limits is written in parts, each in a transaction of its own. A key of a part gets the new limits and
// keeps those before. The account names the change as under way: as long as it does, the limits before hold for each key of
// the change. One small transaction at the end writes the event and takes the name from the account.

/** The right to write or to undo a large change. Whoever has it renews it with each part; else another process undoes. */
export interface Lease {
  accountId: AccountId;
  /** Id of the event to be, which names the change. */
  eventId: string;
  /** Until when, as the database wrote it. Only who knows it renews it, so that a process that slept cannot go on. */
  until: string;
}

/** The lease has passed to another process, which undoes the change. */
class LeaseLost extends Error {
  /** SQLSTATE query_canceled: the caller may try again later. */
  readonly code = "57014";
}

/** How long a lease lasts when it is not renewed. */
const LEASE = Prisma.raw("interval '15 seconds'");

/**
 * Until when a lease that begins now lasts, by the clock of the database, as exact as the column is. A distributed database
 * writes only a moment that it has, and does not return it as text.
 */
async function newUntil(transaction: Transaction): Promise<string> {
  const rows = await transaction.$queryRaw<{ until: string }[]>`
    SELECT (clock_timestamp() + ${LEASE})::timestamptz(3)::text AS until`;
  return (rows[0] as { until: string }).until;
}

/** The request of a large change, where it has a name. */
interface NewLargeChange {
  /** The id of the event to be. */
  eventId?: string | undefined;
  /** Whether the same request has made the change before. Nothing can make it between this and the beginning. */
  isMade?(transaction: Transaction): Promise<boolean>;
}

/**
 * Begins a large change of a group. Undefined: the group has no more keys than `most`, or the change was made before, and
 * nothing has begun.
 * @throws {LargeChangeUnderWay}
 */
export async function beginLargeChange(
  db: Database,
  accountId: AccountId,
  groupId: string,
  most: number,
  request: NewLargeChange = {},
): Promise<Lease | undefined> {
  if ((await countKeys(db.prisma, accountId, groupId)) <= most) return undefined;
  return openLargeChange(db, accountId, most, request);
}

/**
 * Begins a large change of more keys than `most`. Undefined: it was made before, and nothing has begun.
 * @throws {LargeChangeUnderWay}
 */
export async function openLargeChange(
  db: Database,
  accountId: AccountId,
  most: number,
  { eventId = newObjectId(), isMade }: NewLargeChange = {},
): Promise<Lease | undefined> {
  await analyzeIfUnknown(db, most);
  return db.prisma.$transaction(async (transaction) => {
    // First, as every change locks the name of its request before it waits for other changes.
    if (await isMade?.(transaction)) return undefined;
    await changeAlone(transaction, accountId);
    const until = await newUntil(transaction);
    const count = await transaction.$executeRaw`
      UPDATE account SET limit_change_id = ${eventId}, limit_change_until = ${until}::timestamptz WHERE id = ${accountId}`;
    return count === 0 ? undefined : { accountId, eventId, until };
  });
}

/**
 * Updates PostgreSQL's statistics when they are from a time when there were fewer keys than this. Without them, it does not
 * know that a part is a small range of the primary key, and reads the whole group for each.
 */
export async function analyzeIfUnknown(db: Database, keys: number): Promise<void> {
  if ((await estimateKeys(db.prisma)) < keys) await db.prisma.$executeRaw`ANALYZE api_key`;
}

/** The last ids of parts of so many keys. The rest of the group is one more part. */
export async function listEnds(
  db: Database,
  accountId: AccountId,
  groupId: string,
  keysOfPart: number,
): Promise<string[]> {
  const rows = await db.prisma.$queryRaw<{ id: string }[]>`SELECT id FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS place FROM api_key key
      WHERE ${isInGroup(accountId, groupId)} AND ${Prisma.raw(isKept)}
    ) AS placed WHERE place % ${keysOfPart} = 0 ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Writes the keys of the group whose ids lie after `after`, up to and including `end`. They do not hold yet. */
export async function writePart(
  db: Database,
  lease: Lease,
  groupId: string,
  changes: LimitChanges,
  { after, end }: { after: string | undefined; end: string | undefined },
): Promise<void> {
  const { accountId, eventId } = lease;
  const before = keptBefore(changes);
  const written = writtenLimits(changes);
  const { unlessDone } = limitsChangeOfMany(changes);
  await inLease(db, lease, async (transaction) => {
    await transaction.$executeRaw`WITH target AS (
        UPDATE api_key key SET ${keptLimits}, limit_change_id = ${eventId},
          ${Prisma.join(limitAssignments(changes))}, version = key.version + 1
        WHERE key.account_id = ${accountId} AND key.group_id = ${groupId} AND ${Prisma.raw(isKept)}
          ${after === undefined ? Prisma.empty : Prisma.sql`AND key.id > ${after}`}
          ${end === undefined ? Prisma.empty : Prisma.sql`AND key.id <= ${end}`}
          ${unlessDone === undefined ? Prisma.empty : Prisma.sql`AND ${unlessDone}`}
        RETURNING key.id, key.name ${beforeColumns(before)} ${afterColumns(written)}
      ), ${keysOfLargeEvent(accountId, eventId, { before: Object.keys(before), after: Object.keys(written) })} SELECT`;
  });
}

/** Makes the change hold for all its keys at once, and writes its event. Returns how many keys there were. */
export function completeLargeChange(
  db: Database,
  lease: Lease,
  actor: Actor,
  event: Omit<NewKeysEvent, "action">,
): Promise<number> {
  const { accountId, eventId } = lease;
  return inLease(db, lease, async (transaction) => {
    const count = await recordLargeEvent(transaction, accountId, eventId, actor, {
      action: "key.limits_set",
      ...event,
    });
    await close(transaction, lease);
    return count;
  });
}

/**
 * Undoes up to so many keys, whose ids lie after `after`. Returns the last of them, to go on there. Undefined: that was the
 * end, and all keys have the limits before.
 */
export function undoPart(db: Database, lease: Lease, after: string, keysOfPart: number): Promise<string | undefined> {
  const { accountId, eventId } = lease;
  return inLease(db, lease, async (transaction) => {
    const changed = Prisma.sql`account_id = ${accountId} AND id > ${after} AND limit_change_id = ${eventId}`;
    const [undone] = await transaction.$queryRaw<{ count: number; last: string | null }[]>`WITH part AS MATERIALIZED (
        SELECT count(*)::int AS count, max(id) AS last FROM (
          SELECT id FROM api_key WHERE ${changed} ORDER BY account_id, id LIMIT ${keysOfPart}
        ) AS found
      ), undone AS (
        UPDATE api_key key SET ${restoredLimits}, limit_change_id = NULL, version = key.version - 1
        WHERE ${changed} AND id <= (SELECT last FROM part)
      ) SELECT count, last FROM part`;
    if (undone?.count === keysOfPart && undone.last !== null) return undone.last;
    await forgetKeysOfLargeEvent(transaction, accountId, eventId);
    await close(transaction, lease);
    return undefined;
  });
}

/**
 * Takes the lease of a change whose process has not renewed it. Undefined: there is none. A lease that lies further in the future
 * than one can was written before the clock was set back: whoever is still at work renews it with the next part.
 */
export async function takeAbandonedChange(db: Database): Promise<Lease | undefined> {
  const [due] = await db.prisma.$queryRaw<{ account_id: AccountId; until: string }[]>`
    SELECT id AS account_id, limit_change_until::text AS until FROM account
    WHERE limit_change_id IS NOT NULL
      AND limit_change_until NOT BETWEEN clock_timestamp() AND clock_timestamp() + 2 * ${LEASE}
    ORDER BY limit_change_until LIMIT 1`;
  if (!due) return undefined;
  // Of several processes that have found it, one changes the moment.
  const until = await newUntil(db.prisma);
  const [taken] = await db.prisma.$queryRaw<{ account_id: AccountId; event_id: string }[]>`
    UPDATE account SET limit_change_until = ${until}::timestamptz
    WHERE id = ${due.account_id} AND limit_change_id IS NOT NULL AND limit_change_until = ${due.until}::timestamptz
    RETURNING id AS account_id, limit_change_id AS event_id`;
  return taken && { accountId: taken.account_id, eventId: taken.event_id, until };
}

/** Does a part in one transaction, alone among the changes of keys of the account, and renews the lease. */
export async function inLease<Result>(
  db: Database,
  lease: Lease,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { accountId, eventId, until } = lease;
  let renewed = until;
  const result = await db.prisma.$transaction(async (transaction) => {
    await waitToBeAlone(transaction, accountId);
    renewed = await newUntil(transaction);
    const count = await transaction.$executeRaw`
      UPDATE account SET limit_change_until = ${renewed}::timestamptz
      WHERE id = ${accountId} AND limit_change_id = ${eventId} AND limit_change_until = ${until}::timestamptz`;
    if (count === 0) throw new LeaseLost("the large change was undone by another process");
    return work(transaction);
  });
  lease.until = renewed;
  return result;
}

async function close(transaction: Transaction, { accountId, eventId }: Lease): Promise<void> {
  await transaction.$executeRaw`UPDATE account SET limit_change_id = NULL, limit_change_until = NULL
    WHERE id = ${accountId} AND limit_change_id = ${eventId}`;
}
