import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { beginOf } from "../db/account-row";
import { isOfAccount } from "../db/account-scope";
import { countUpToLimit } from "../db/bounded-count";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import type { FoundPage, Page } from "../input/page";
import type { Action } from "./action";
import type { Actor } from "./actor";
import { eventsOfKey, firstKeysOf, pageOfKeysOf } from "./event-keys";
import type { Values } from "./key-values";
import type { HistoryEvent, HistoryKey } from "./schema";
import { openSearch, type Search } from "./search-queries";

/** Which events are listed. Days are those of the account's zone. */
export interface EventFilter {
  apikeyId: string | undefined;
  groupId: string | undefined;
  action: Action | undefined;
  actor: Actor["kind"] | undefined;
  /** A part of a name or of an id. */
  search: string | undefined;
  from: string | undefined;
  to: string | undefined;
  /** No events of these kinds. */
  without?: readonly Action[];
}

const KEYS_SHOWN = 3;
/** The order of the index of an account's events. */
const NEWEST_FIRST = Prisma.sql`ORDER BY event.account_id DESC, event.at DESC, event.id DESC`;

/** A page of the account's history, newest first, and how many events match in all. */
export async function listEvents(
  db: Database,
  accountId: AccountId,
  filter: EventFilter,
  { page, pageSize }: Page,
): Promise<FoundPage<HistoryEvent>> {
  const search = await searchOf(db, accountId, filter);
  const found = eventsFound(accountId, filter, search);
  const offset = (page - 1) * pageSize;
  if (search && "condition" in search)
    return listCheckedEvents(db, accountId, filter, found, { limit: pageSize, offset });
  const [counted, data] = await Promise.all([
    countUpToLimit(db, found),
    readEvents(db, accountId, filter, found, { limit: pageSize, offset }),
  ]);
  return { data, ...counted };
}

/** How far events are counted that are checked one by one. */
const COUNT_OF_CHECKED = 300;

/** To check events takes long, so one reading finds those of the page and their number. */
async function listCheckedEvents(
  db: Database,
  accountId: AccountId,
  filter: EventFilter,
  found: Prisma.Sql,
  { limit, offset }: { limit: number; offset: number },
): Promise<FoundPage<HistoryEvent>> {
  const most = Math.max(COUNT_OF_CHECKED + 1, offset + limit);
  const query = db.prisma.$queryRaw<{ count: number; ids: string[] }[]>`
    WITH found AS MATERIALIZED (SELECT event.id, event.at ${found} ${NEWEST_FIRST} LIMIT ${most})
    SELECT (SELECT count(*)::int FROM found) AS count,
      ARRAY(SELECT id FROM found ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS ids`;
  const [{ count, ids } = { count: 0, ids: [] }] = await readLarge(db, query);
  const shown = Prisma.sql`FROM ${lookedUp(accountId, Prisma.sql`SELECT unnest(${ids}::text[]) AS id`)}`;
  return {
    data: await readEvents(db, accountId, filter, shown, { limit, offset: 0 }),
    total: Math.min(count, COUNT_OF_CHECKED),
    isTotalExact: count <= COUNT_OF_CHECKED,
  };
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
  const search = await searchOf(db, accountId, filter);
  const found = Prisma.sql`${eventsFound(accountId, filter, search)} ${behind}`;
  return readEvents(db, accountId, filter, found, { limit: count, offset: 0 });
}

async function searchOf(db: Database, accountId: AccountId, filter: EventFilter): Promise<Search | undefined> {
  const { search, groupId } = filter;
  return search === undefined || search === "" ? undefined : openSearch(db, accountId, search, groupId);
}

/** The rows `event` that match: `FROM … WHERE …`. */
function eventsFound(accountId: AccountId, filter: EventFilter, search: Search | undefined): Prisma.Sql {
  const { apikeyId } = filter;
  const found = search && "ids" in search ? search.ids : undefined;
  const ofKey = apikeyId === undefined ? undefined : eventsOfKey(accountId, apikeyId);
  const ids = ofKey && found ? Prisma.sql`(${ofKey}) INTERSECT (${found})` : (ofKey ?? found);
  const from = ids
    ? Prisma.sql`${lookedUp(accountId, ids)} WHERE true`
    : Prisma.sql`event WHERE ${isFoundByGroup(filter) ? isOfAccount("event", accountId) : isListed(accountId)}`;
  const checked = search && "condition" in search ? Prisma.sql`AND ${search.condition}` : Prisma.empty;
  return Prisma.sql`FROM ${from} ${Prisma.join(conditions(accountId, filter), " ", " ")} ${checked}`;
}

/** Whether the index of the events of groups alone finds them. Those of a kind or an actor have indexes of the account too. */
function isFoundByGroup({ groupId, action, actor }: EventFilter): boolean {
  return groupId !== undefined && action === undefined && actor === undefined;
}

/**
 * Whether a row `event` is of the account, with the condition of the index of the list. Every event fulfils it, and what looks an
 * event up, or finds those of a group by their own index, does not name it.
 */
const isListed = (accountId: AccountId) =>
  Prisma.sql`event.account_id = ${accountId} AND event.at > '1970-01-01 00:00:00+00'`;

/**
 * The rows `event` with some ids. With a limit it is no join: PostgreSQL looks each event up, whatever it believes of their
 * number.
 * @param ids a query for the column `id`.
 */
const lookedUp = (
  accountId: AccountId,
  ids: Prisma.Sql,
) => Prisma.sql`(SELECT DISTINCT id FROM (${ids}) AS found) AS candidate
    CROSS JOIN LATERAL (SELECT * FROM event WHERE account_id = ${accountId} AND id = candidate.id LIMIT 1) AS event`;

function readEvents(
  db: Database,
  accountId: AccountId,
  { apikeyId, search }: EventFilter,
  found: Prisma.Sql,
  { limit, offset }: { limit: number; offset: number },
): Promise<HistoryEvent[]> {
  // The inner query finds the events by the index; only these are read whole, with their keys.
  const query = db.prisma.$queryRaw<HistoryEvent[]>`
      SELECT event.id, floor(extract(epoch FROM event.at))::float8 AS at, action,
        jsonb_build_object('kind', actor, 'name', actor_name) AS actor, address, group_id, group_name, key_count,
        coalesce((
          SELECT jsonb_agg(shown) FROM (
            SELECT key_id AS apikey_id, key_name AS name, before, after
            FROM (${firstKeysOf(accountId, Prisma.sql`event.id`, apikeyId, KEYS_SHOWN)}) AS key
          ) AS shown
        ), '[]') AS keys, before, after, reverts,
        (SELECT (array_agg(undoing.id ORDER BY undoing.at DESC, undoing.id DESC))[1] FROM event AS undoing
          WHERE ${isOfAccount("undoing", accountId)} AND undoing.account_id = event.account_id
            AND undoing.reverts = event.id) AS reverted_by
      FROM ${lookedUp(accountId, Prisma.sql`SELECT event.id ${found} ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}`)}
      ORDER BY event.at DESC, event.id DESC`;
  return search === undefined ? query : readLarge(db, query);
}

function conditions(accountId: AccountId, { groupId, action, actor, from, to, without }: EventFilter): Prisma.Sql[] {
  const found: Prisma.Sql[] = [Prisma.empty];
  if (groupId !== undefined) found.push(Prisma.sql`AND event.group_id = ${groupId}`);
  if (without !== undefined) found.push(Prisma.sql`AND event.action <> ALL (${without}::text[])`);
  if (action !== undefined) found.push(Prisma.sql`AND event.action = ${action}`);
  if (actor !== undefined) found.push(Prisma.sql`AND event.actor = ${actor}`);
  if (from !== undefined) found.push(Prisma.sql`AND event.at >= ${beginIn(accountId, Prisma.sql`${from}::date`)}`);
  if (to !== undefined) found.push(Prisma.sql`AND event.at < ${beginIn(accountId, Prisma.sql`${to}::date + 1`)}`);
  return found;
}

/** The first moment of a day of the account: a sub-select, so that PostgreSQL knows it before it searches the index. */
function beginIn(accountId: AccountId, day: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT ${Prisma.raw(beginOf("asked.day", "account.time_zone"))}
    FROM account CROSS JOIN (SELECT ${day} AS day) AS asked WHERE account.id = ${accountId})`;
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
    db.prisma.$queryRaw<HistoryKey[]>`SELECT key_id AS apikey_id, key_name AS name, before, after
      FROM (${pageOfKeysOf(accountId, eventId, pageSize, (page - 1) * pageSize)}) AS key`,
  ]);
  // The keys of a large change are written before its event.
  return event ? { data, total: event.keyCount } : { data: [], total: 0 };
}

/** Which change of a browser is looked for. */
export interface OwnChange {
  action: Action;
  apikeyId: string | undefined;
  groupId: string | undefined;
  eventId: string | undefined;
  /** How many seconds ago it was asked for, at most. */
  seconds: number;
}

/** The newest change of this kind by an actor, of a key, of a group or of an event, with its values after. */
export async function findLatestChange(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  { action, apikeyId, groupId, eventId, seconds }: OwnChange,
): Promise<{ id: string; after: Values } | undefined> {
  const filter = { apikeyId, groupId, action, actor: actor.kind, from: undefined, to: undefined, search: undefined };
  const ofEvent = eventId === undefined ? undefined : { ids: Prisma.sql`SELECT ${eventId} AS id` };
  const rows = await db.prisma.$queryRaw<{ id: string; after: Values }[]>`
    SELECT event.id, event.after ${eventsFound(accountId, filter, ofEvent)}
      AND event.actor_name = ${actor.name} AND event.at > now() - make_interval(secs => ${seconds})
    ${NEWEST_FIRST} LIMIT 1`;
  return rows[0];
}
