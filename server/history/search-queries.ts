import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import { contains, nameContains } from "../db/search";
import { findKeyIds } from "../keys/search-queries";
import { ACTIONS } from "./action";
import { chunkOf, isOfSomeKey, keysOf } from "./event-keys";
import { CHUNKED_FROM } from "./recording";

// A search of the history finds the keys, groups and actors that have the text, and then their events by the indexes of
// events. Events of prices are found by their kind, and the names of their models stand beside the prices. An index of the
// words of all events would cost every creation of a key, and would not help where most events have the text.
// See docs/decisions/lists.md.

/** From more keys than this, or from more events of some kind, the list reads events from the newest on, and checks each. */
const FEW_KEYS = 3_000;
const FEW_EVENTS = 50_000;
/** Up to so many keys are looked for one by one in the chunks of large events. For more, all keys of the chunks are read. */
const FEW_PROBES = 100;
/** Up to so many renamings are read. When more have to do with the text, each key of an event is looked up. */
const FEW_RENAMINGS = 10_000;

/**
 * At the end of a sub-query: it is asked for each event. Otherwise PostgreSQL may read all keys of all events at once, or compare
 * all of them with all events.
 */
const FOR_EACH = Prisma.sql`OFFSET 0`;

/** The events of a search: a query for their ids, which indexes find, or a condition of which each row `event` is asked. */
export type Search = { ids: Prisma.Sql } | { condition: Prisma.Sql };

/** Finds what has the text in the account, and makes the condition that an event is about it. */
export async function openSearch(db: Pick<Database, "prisma">, accountId: AccountId, search: string): Promise<Search> {
  const [keys, formerKeys, renamings, found] = await Promise.all([
    findKeyIds(db, accountId, search, FEW_KEYS + 1),
    findFormerKeys(db, accountId, search, FEW_KEYS + 1),
    findRenamings(db, accountId, search),
    readLarge(db, db.prisma.$queryRaw<Found[]>(whatHasText(accountId, search))),
  ]);
  const {
    groups = [],
    former_groups = [],
    group_events = 0,
    is_owner = false,
    is_default = false,
    browser_events = 0,
    price_events = 0,
  } = found[0] ?? {};
  const few: Prisma.Sql[] = [];
  const many: Prisma.Sql[] = [];
  const ofAccount = Prisma.sql`account_id = ${accountId}`;

  if (keys.length > FEW_KEYS || formerKeys.length > FEW_KEYS || !renamings.areAll) {
    many.push(hasKeyWithText(accountId, search, renamings));
  } else {
    few.push(
      Prisma.sql`SELECT event_id AS id FROM event_key WHERE ${ofAccount} AND key_id = ANY(${keys}) AND ${isOfSomeKey}`,
      Prisma.sql`SELECT event_id FROM event_key WHERE ${ofAccount} AND key_id = ANY(${formerKeys}) AND ${isOfSomeKey}
        AND ${nameContains(Prisma.sql`key_name`, search)}`,
      largeEvents(accountId, keys, formerKeys, search),
    );
  }
  if (renamings.areAll) few.push(Prisma.sql`SELECT unnest(${renamings.eventIds}::text[]) AS id`);
  else many.push(Prisma.sql`(action = 'key.renamed' AND ${nameContains(Prisma.sql`(after ->> 'name')`, search)})`);

  const wasOfGroup = nameContains(Prisma.sql`group_name`, search);
  if (group_events > FEW_EVENTS) many.push(Prisma.sql`(group_id = ANY(${groups}) OR ${wasOfGroup})`);
  else {
    few.push(
      Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND group_id = ANY(${groups})`,
      Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND group_id = ANY(${former_groups}) AND ${wasOfGroup}`,
    );
  }
  few.push(Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND action = 'group.changed'
    AND ${nameContains(Prisma.sql`(before ->> 'name')`, search)}`);

  const isOfModel = Prisma.sql`action IN (${OF_PRICES}) AND ${hasModelWithText(search)}`;
  if (price_events > FEW_EVENTS) many.push(Prisma.sql`(${isOfModel})`);
  else few.push(Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND ${isOfModel}`);

  const hasActor = nameContains(Prisma.sql`actor_name`, search);
  few.push(Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND actor = 'command_line' AND ${hasActor}`);
  if (browser_events <= FEW_EVENTS) {
    few.push(Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND actor = 'browser' AND ${hasActor}`);
  }
  if (is_default || (is_owner && browser_events > FEW_EVENTS)) many.push(hasActor);

  if (/^[0-9a-f]{6,24}$/i.test(search)) {
    const first = search.toLowerCase();
    few.push(Prisma.sql`SELECT id FROM event WHERE ${ofAccount} AND id >= ${first} AND id < ${`${first}g`}`);
  }
  const candidates = Prisma.sql`SELECT id FROM (${Prisma.join(few, " UNION ALL ")}) AS candidate`;
  if (many.length === 0) return { ids: candidates };
  return { condition: Prisma.sql`(${Prisma.join([...many, Prisma.sql`event.id IN (${candidates})`], " OR ")})` };
}

interface Found {
  /** Groups whose name or id has the text, deleted ones by their id. */
  groups: string[];
  /** Groups that have or had a name with the text. */
  former_groups: string[];
  /** How many events all these groups have, up to a bound. */
  group_events: number;
  /** Whether the email of the owner has the text. */
  is_owner: boolean;
  /** Whether the id of the default key has it. */
  is_default: boolean;
  /** How many changes were made in browsers, up to a bound. */
  browser_events: number;
  /** How many changes of prices there were, up to a bound. */
  price_events: number;
}

function whatHasText(accountId: AccountId, search: string): Prisma.Sql {
  const upTo = (rows: Prisma.Sql) =>
    Prisma.sql`(SELECT count(*)::int FROM (SELECT ${rows} LIMIT ${FEW_EVENTS + 1}) AS counted)`;
  return Prisma.sql`WITH found_group AS MATERIALIZED (
      SELECT id FROM api_key_group WHERE account_id = ${accountId}
        AND (${contains(Prisma.sql`search_text`, search)} OR ${contains(Prisma.sql`upper(id)`, search)})
      UNION
      SELECT group_id FROM event
      WHERE account_id = ${accountId} AND action = 'group.deleted' AND ${contains(Prisma.sql`upper(group_id)`, search)}
    ), former_group AS MATERIALIZED (
      SELECT DISTINCT group_id AS id FROM event
      WHERE account_id = ${accountId} AND action IN ('group.created', 'group.changed', 'group.deleted')
        AND ${nameContains(Prisma.sql`group_name`, search)} AND group_id IS NOT NULL
    ), every_group AS MATERIALIZED (SELECT id FROM found_group UNION SELECT id FROM former_group)
    SELECT ARRAY(SELECT id FROM found_group) AS groups,
      ARRAY(SELECT id FROM former_group) AS former_groups,
      ${upTo(Prisma.sql`FROM event WHERE account_id = ${accountId} AND group_id = ANY(ARRAY(SELECT id FROM every_group))`)}
        AS group_events,
      ${nameContains(Prisma.sql`account.email`, search)} AS is_owner,
      EXISTS (SELECT FROM api_key WHERE account_id = ${accountId} AND is_default
        AND ${contains(Prisma.sql`upper(id)`, search)}) AS is_default,
      ${upTo(Prisma.sql`FROM event WHERE account_id = ${accountId} AND actor = 'browser'`)} AS browser_events,
      ${upTo(Prisma.sql`FROM event WHERE account_id = ${accountId} AND action IN (${OF_PRICES})`)} AS price_events
    FROM account WHERE account.id = ${accountId}`;
}

/** As literals, from which PostgreSQL sees that the index of kinds has these events. */
const OF_PRICES = Prisma.raw(
  ACTIONS.filter((action) => action.startsWith("models."))
    .map((action) => `'${action}'`)
    .join(", "),
);

/** Whether the name of a model of an event of prices has the text. Older versions wrote the names among the prices alone. */
function hasModelWithText(search: string): Prisma.Sql {
  const names = Prisma.sql`(SELECT string_agg(made ->> 'name', chr(10)) FROM jsonb_array_elements(prices) AS made)`;
  return Prisma.sql`CASE WHEN models IS NULL THEN ${nameContains(names, search)}
    ELSE ${contains(Prisma.sql`models`, search)} END`;
}

/** Renamings of keys to a name with the text. */
interface Renamings {
  eventIds: string[];
  /** The keys that have the text now. Events have the names of then; the other keys still have these. */
  keys: string[];
  /** Whether there are no others. */
  areAll: boolean;
}

/** `FROM … WHERE …` of all renamings, with the key of each and its name before. */
const renamingsOf = (accountId: AccountId) => Prisma.sql`
  FROM event AS renaming CROSS JOIN LATERAL (
    SELECT key_id, key_name FROM event_key WHERE account_id = ${accountId} AND event_id = renaming.id ${FOR_EACH}
  ) AS its_key
  WHERE renaming.account_id = ${accountId} AND renaming.action = 'key.renamed'`;

/** Rows `event_id`, `key_id`, and whether the key `has_text` now. */
const renamingsToText = (accountId: AccountId, search: string) => Prisma.sql`
  SELECT renaming.id AS event_id, its_key.key_id, (
      SELECT ${contains(Prisma.sql`key.search_text`, search)} FROM api_key key
      WHERE key.account_id = ${accountId} AND key.id = its_key.key_id
    ) AS has_text
  ${renamingsOf(accountId)} AND ${nameContains(Prisma.sql`(renaming.after ->> 'name')`, search)}`;

async function findRenamings(db: Pick<Database, "prisma">, accountId: AccountId, search: string): Promise<Renamings> {
  const query = db.prisma.$queryRaw<{ event_ids: string[]; keys: string[] }[]>`
    SELECT coalesce(array_agg(event_id), '{}') AS event_ids,
      coalesce(array_agg(DISTINCT key_id) FILTER (WHERE has_text), '{}') AS keys
    FROM (${renamingsToText(accountId, search)} LIMIT ${FEW_RENAMINGS + 1}) AS found`;
  const [{ event_ids: eventIds, keys } = { event_ids: [], keys: [] }] = await readLarge(db, query);
  return { eventIds, keys, areAll: eventIds.length <= FEW_RENAMINGS };
}

/** Some keys that had a name with the text, and were renamed; no more than `most`. */
async function findFormerKeys(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  most: number,
): Promise<string[]> {
  const query = db.prisma.$queryRaw<{ key_id: string }[]>`
    SELECT its_key.key_id ${renamingsOf(accountId)} AND ${nameContains(Prisma.sql`its_key.key_name`, search)}
    LIMIT ${most}`;
  return (await readLarge(db, query)).map(({ key_id }) => key_id);
}

/**
 * Whether an event concerns a key whose name has the text, now or then, or whose id has it. Where not all renamings are
 * known, the key is looked up by its whole id for each key of the event; a join would leave it to PostgreSQL's statistics to
 * read all keys for each event.
 */
function hasKeyWithText(accountId: AccountId, search: string, { keys, areAll }: Renamings): Prisma.Sql {
  const textNow = Prisma.sql`(SELECT search_text FROM api_key key
    WHERE key.account_id = ${accountId} AND key.id = event_key.key_id)`;
  const hasTextNow = areAll
    ? Prisma.sql`(event_key.key_id = ANY(${keys}) OR ${contains(Prisma.sql`upper(event_key.key_id COLLATE "C")`, search)})`
    : contains(textNow, search);
  // Not a join: PostgreSQL finds the renamed keys once, and looks each key of a chunk up among them.
  const isRenamed = areAll
    ? Prisma.sql`key_id = ANY(${keys})`
    : Prisma.sql`(key_id IN (SELECT key_id FROM (${renamingsToText(accountId, search)}) AS found WHERE has_text)) IS TRUE`;
  return Prisma.sql`EXISTS (
      SELECT FROM event_key
      WHERE event_key.account_id = ${accountId} AND event_key.event_id = event.id
        AND (${nameContains(Prisma.sql`event_key.key_name`, search)} OR ${hasTextNow})
      ${FOR_EACH}
    ) OR (event.key_count >= ${CHUNKED_FROM} AND (${hasChunkWithText(accountId, Prisma.sql`event.id`, search)}
      OR ${hasSomeKey(accountId, Prisma.sql`event.id`, areAll ? keys : undefined, isRenamed)}))`;
}

function hasChunkWithText(accountId: AccountId, eventId: Prisma.Sql, search: string): Prisma.Sql {
  const all = Prisma.sql`array_to_string(key_names || key_ids, chr(10))`;
  return Prisma.sql`EXISTS (SELECT FROM (${chunksOf(accountId, eventId)}) AS chunk
    WHERE ${nameContains(all, search)} ${FOR_EACH})`;
}

/** The ids of the events of many keys that concern one of these keys, or a former one that had the text in its name then. */
function largeEvents(
  accountId: AccountId,
  keys: readonly string[],
  former: readonly string[],
  search: string,
): Prisma.Sql {
  const condition = Prisma.sql`(key_id = ANY(${keys})
    OR (key_id = ANY(${former}) AND ${nameContains(Prisma.sql`key_name`, search)}))`;
  return Prisma.sql`SELECT large.id FROM event AS large
    WHERE large.account_id = ${accountId} AND large.key_count >= ${Prisma.raw(String(CHUNKED_FROM))}
      AND ${hasSomeKey(accountId, Prisma.sql`large.id`, [...keys, ...former], condition)}`;
}

/**
 * Whether an event of many keys has a key that fulfils a condition of `key_id` and `key_name`.
 * @param keys the keys that may fulfil it, if they are known. Few are looked for one by one.
 */
function hasSomeKey(
  accountId: AccountId,
  eventId: Prisma.Sql,
  keys: readonly string[] | undefined,
  condition: Prisma.Sql,
): Prisma.Sql {
  if (keys?.length === 0) return Prisma.sql`false`;
  const chunks =
    keys === undefined || keys.length > FEW_PROBES
      ? chunksOf(accountId, eventId)
      : Prisma.sql`SELECT chunk.* FROM unnest(${keys}::text[]) AS wanted(id)
          CROSS JOIN LATERAL (${chunkOf(accountId, eventId, Prisma.sql`wanted.id`)}) AS chunk
          WHERE wanted.id = ANY(chunk.key_ids)`;
  return Prisma.sql`EXISTS (SELECT FROM (${keysOf(chunks)}) AS listed WHERE ${condition} ${FOR_EACH})`;
}

function chunksOf(accountId: AccountId, eventId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT * FROM event_key_chunk WHERE account_id = ${accountId} AND event_id = ${eventId}`;
}
