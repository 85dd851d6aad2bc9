import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { isOfAccount } from "../db/account-scope";
import { countUpToLimit } from "../db/bounded-count";
import type { Database } from "../db/client";
import type { FoundPage, Page } from "../input/page";
import type { Action } from "./action";
import type { Actor } from "./actor";
import { eventsOfKey, firstKeysOf, pageOfKeysOf } from "./event-keys";
import type { HistoryEvent, HistoryKey } from "./schema";

/** Which events are listed. Days are those of the account's zone. */
export interface EventFilter {
  apikeyId: string | undefined;
  groupId: string | undefined;
  action: Action | undefined;
  actor: Actor["kind"] | undefined;
  from: string | undefined;
  to: string | undefined;
  /** No events of these kinds. */
  without?: readonly Action[];
}

const KEYS_SHOWN = 3;

/** A key of an event as JSON. `after` is there only where it differs from key to key. */
const keyOfEvent = Prisma.sql`jsonb_build_object('apikey_id', key_id, 'name', key_name, 'before', before)
  || CASE WHEN after IS NULL THEN '{}' ELSE jsonb_build_object('after', after) END`;

/** A page of the account's history, newest first, and how many events match in all. */
export async function listEvents(
  db: Database,
  accountId: AccountId,
  filter: EventFilter,
  { page, pageSize }: Page,
): Promise<FoundPage<HistoryEvent>> {
  const found = eventsFound(accountId, filter);
  const [counted, data] = await Promise.all([
    countUpToLimit(db, found),
    readEvents(db, accountId, filter, found, { limit: pageSize, offset: (page - 1) * pageSize }),
  ]);
  return { data, ...counted };
}

/** The next events that match, newest first, after a given event. Unlike a page number, this is fast at any depth. */
export async function listEventsAfter(
  db: Database,
  accountId: AccountId,
  filter: EventFilter,
  after: string | undefined,
  count: number,
): Promise<HistoryEvent[]> {
  const behind =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`AND (event.at, event.id) < (SELECT at, id FROM event WHERE account_id = ${accountId} AND id = ${after})`;
  const found = Prisma.sql`${eventsFound(accountId, filter)} ${behind}`;
  return readEvents(db, accountId, filter, found, { limit: count, offset: 0 });
}

function eventsFound(accountId: AccountId, filter: EventFilter): Prisma.Sql {
  return Prisma.sql`FROM event JOIN account ON account.id = event.account_id
    WHERE event.account_id = ${accountId} ${Prisma.join(conditions(accountId, filter), " ", " ")}`;
}

function readEvents(
  db: Database,
  accountId: AccountId,
  { apikeyId }: EventFilter,
  found: Prisma.Sql,
  { limit, offset }: { limit: number; offset: number },
): Promise<HistoryEvent[]> {
  // The inner query finds the events by the index; only these are read whole, with their keys.
  return db.prisma.$queryRaw<HistoryEvent[]>`
      SELECT event.id, floor(extract(epoch FROM event.at))::float8 AS at, action,
        jsonb_build_object('kind', actor, 'name', actor_name) AS actor, address, group_id, group_name, key_count,
        coalesce((
          SELECT jsonb_agg(${keyOfEvent}) FROM (${firstKeysOf(accountId, Prisma.sql`event.id`, apikeyId, KEYS_SHOWN)}) AS key
        ), '[]') AS keys, before, after
      FROM (
        SELECT event.account_id, event.id ${found}
        ORDER BY event.account_id DESC, event.at DESC, event.id DESC
        LIMIT ${limit} OFFSET ${offset}
      ) AS listed
      JOIN event
        ON ${isOfAccount("event", accountId)} AND event.account_id = listed.account_id AND event.id = listed.id
      ORDER BY event.at DESC, event.id DESC`;
}

function conditions(
  accountId: AccountId,
  { apikeyId, groupId, action, actor, from, to, without }: EventFilter,
): Prisma.Sql[] {
  const found: Prisma.Sql[] = [Prisma.empty];
  if (apikeyId !== undefined) {
    found.push(Prisma.sql`AND event.id IN (${eventsOfKey(accountId, apikeyId)})`);
  }
  if (groupId !== undefined) found.push(Prisma.sql`AND event.group_id = ${groupId}`);
  if (without !== undefined) found.push(Prisma.sql`AND event.action <> ALL (${without}::text[])`);
  if (action !== undefined) found.push(Prisma.sql`AND event.action = ${action}`);
  if (actor !== undefined) found.push(Prisma.sql`AND event.actor = ${actor}`);
  if (from !== undefined)
    found.push(Prisma.sql`AND event.at >= ${from}::date::timestamp AT TIME ZONE account.time_zone`);
  if (to !== undefined)
    found.push(Prisma.sql`AND event.at < (${to}::date + 1)::timestamp AT TIME ZONE account.time_zone`);
  return found;
}

/** A page of the keys of one event of the account, and how many keys it has. An unknown event has none. */
export async function listEventKeys(
  db: Database,
  accountId: AccountId,
  eventId: string,
  { page, pageSize }: Page,
): Promise<{ data: HistoryKey[]; total: number }> {
  const [event, data] = await Promise.all([
    db.prisma.event.findUnique({
      where: { accountId_id: { accountId, id: eventId } },
      select: { keyCount: true },
    }),
    db.prisma.$queryRaw<{ key: HistoryKey }[]>`SELECT ${keyOfEvent} AS key
      FROM (${pageOfKeysOf(accountId, eventId, pageSize, (page - 1) * pageSize)}) AS key`,
  ]);
  // The keys of a large change are written before its event.
  return event ? { data: data.map(({ key }) => key), total: event.keyCount } : { data: [], total: 0 };
}
