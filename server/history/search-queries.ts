import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { isOfAccount } from "../db/account-scope";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import { contains, nameContains } from "../db/search";
import { ACTIONS, type Action } from "./action";
import type { Actor } from "./actor";
import { eventsOfFoundKeys, hasKeyWithText } from "./events-of-keys";
import { areMany, findKeys, findRenamedKeys, findRenamings, isToText } from "./searched-keys";

// A search of the history finds the keys, groups and actors that have the text, and then their events by the indexes of
// events. Events of prices are found by their kind, and the names of their models stand beside the prices. An index of the
// words of all events would cost every creation of a key, and would not help where most events have the text.
// See docs/decisions/lists.md.

/** From more events of some kind than this, the list reads events from the newest on, and checks each. */
const FEW_EVENTS = 50_000;
/** Up to so many renamings are read. When more have to do with the text, each key of an event is looked up. */
const FEW_RENAMINGS = 10_000;

/** The events of a search: a query for their ids, which indexes find, or a condition of which each row `event` is asked. */
export type Search = { ids: Prisma.Sql } | { condition: Prisma.Sql };

/**
 * Finds what has the text in the account, and makes the condition that an event is about it.
 * @param groupId only events of this group are listed; undefined: all.
 */
export async function openSearch(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  groupId: string | undefined,
): Promise<Search> {
  const [keys, renamings, [found = NOTHING]] = await Promise.all([
    findKeys(db, accountId, search, groupId),
    findRenamings(db, accountId, search, FEW_RENAMINGS + 1),
    readLarge(db, db.prisma.$queryRaw<Found[]>(whatHasText(accountId, search))),
  ]);
  const areAllRenamings = renamings.length <= FEW_RENAMINGS;
  const parts: Search[] = [
    areAllRenamings ? { ids: Prisma.sql`SELECT unnest(${renamings}::text[])` } : { condition: isToText(search) },
    ...ofGroups(accountId, search, found),
    ...ofModels(accountId, search, found),
    ...ofActors(accountId, search, found),
    ...withId(accountId, search),
  ];
  if (areAllRenamings && !areMany(keys)) {
    parts.push(...eventsOfFoundKeys(accountId, search, keys).map((ids) => ({ ids })));
  } else {
    const renamed = areAllRenamings ? await findRenamedKeys(db, accountId, search) : undefined;
    parts.push({ condition: hasKeyWithText(accountId, search, renamed) });
  }
  const candidates = Prisma.join(
    parts.flatMap((part) => ("ids" in part ? [part.ids] : [])),
    " UNION ALL ",
  );
  const conditions = parts.flatMap((part) => ("condition" in part ? [part.condition] : []));
  if (conditions.length === 0) return { ids: Prisma.sql`SELECT id FROM (${candidates}) AS candidate (id)` };
  return { condition: Prisma.sql`(${Prisma.join([...conditions, Prisma.sql`event.id IN (${candidates})`], " OR ")})` };
}

const EVENT_ID = Prisma.sql`id`;

// Where a list of groups is empty there is no query for it: to find nothing, PostgreSQL walks through an index.

/** Events of groups that have the text in the name or the id, or had it in the name then. */
function ofGroups(accountId: AccountId, search: string, { groups, former_groups, group_events }: Found): Search[] {
  const hadText = nameContains(Prisma.sql`group_name`, search);
  const found: Search[] = [
    { ids: ofKinds(accountId, ["group.changed"], EVENT_ID, nameContains(Prisma.sql`(before ->> 'name')`, search)) },
  ];
  if (group_events > FEW_EVENTS) {
    return [...found, { condition: Prisma.sql`(group_id = ANY(${groups}) OR ${hadText})` }];
  }
  const rows = (ids: readonly string[]) => Prisma.sql`
    SELECT id FROM event WHERE ${isOfAccount("event", accountId)} AND group_id = ANY(${ids})`;
  if (groups.length > 0) found.push({ ids: rows(groups) });
  if (former_groups.length > 0) found.push({ ids: Prisma.sql`${rows(former_groups)} AND ${hadText}` });
  return found;
}

/** Events of prices of models that have the text in the name. */
function ofModels(accountId: AccountId, search: string, { price_events }: Found): Search[] {
  const hasModel = hasModelWithText(search);
  if (price_events <= FEW_EVENTS) return [{ ids: ofKinds(accountId, PRICE_KINDS, EVENT_ID, hasModel) }];
  return [{ condition: Prisma.sql`(action = ANY(${PRICE_KINDS}) AND ${hasModel})` }];
}

/** Events of actors that have the text in the name. */
function ofActors(accountId: AccountId, search: string, { is_owner, is_default, browser_events }: Found): Search[] {
  const hasActor = nameContains(Prisma.sql`actor_name`, search);
  // As a literal, from which PostgreSQL sees that the index of actors has these events.
  const rows = (actor: Actor["kind"]) => Prisma.sql`
    SELECT id FROM event WHERE account_id = ${accountId} AND actor = ${Prisma.raw(`'${actor}'`)} AND ${hasActor}`;
  const areManyInBrowsers = browser_events > FEW_EVENTS;
  const found: Search[] = [{ ids: rows("command_line") }];
  if (!areManyInBrowsers) found.push({ ids: rows("browser") });
  if (is_default || (is_owner && areManyInBrowsers)) found.push({ condition: hasActor });
  return found;
}

/** The events whose id begins with the text. */
function withId(accountId: AccountId, search: string): Search[] {
  if (!/^[0-9a-f]{6,24}$/i.test(search)) return [];
  const first = search.toLowerCase();
  return [
    {
      ids: Prisma.sql`SELECT id FROM event WHERE account_id = ${accountId} AND id >= ${first} AND id < ${`${first}g`}`,
    },
  ];
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

/** What an account that has gone meanwhile has. */
const NOTHING: Found = {
  groups: [],
  former_groups: [],
  group_events: 0,
  is_owner: false,
  is_default: false,
  browser_events: 0,
  price_events: 0,
};

function whatHasText(accountId: AccountId, search: string): Prisma.Sql {
  const upTo = (rows: Prisma.Sql) =>
    Prisma.sql`(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${FEW_EVENTS + 1}) AS counted)`;
  const ofGroup = Prisma.sql`SELECT FROM event WHERE ${isOfAccount("event", accountId)} AND group_id = every_group.id`;
  const groupId = Prisma.sql`group_id`;
  const hasId = contains(Prisma.sql`upper(group_id)`, search);
  const hadName = Prisma.sql`${nameContains(Prisma.sql`group_name`, search)} AND group_id IS NOT NULL`;
  return Prisma.sql`WITH found_group AS MATERIALIZED (
      SELECT id FROM api_key_group WHERE account_id = ${accountId}
        AND (${contains(Prisma.sql`search_text`, search)} OR ${contains(Prisma.sql`upper(id)`, search)})
      UNION ${ofKinds(accountId, ["group.deleted"], groupId, hasId)}
    ), former_group AS MATERIALIZED (
      SELECT DISTINCT group_id AS id FROM (${ofKinds(accountId, GROUP_KINDS, groupId, hadName)}) AS named
    ), every_group AS MATERIALIZED (SELECT id FROM found_group UNION SELECT id FROM former_group)
    SELECT ARRAY(SELECT id FROM found_group) AS groups,
      ARRAY(SELECT id FROM former_group) AS former_groups,
      ${upTo(Prisma.sql`every_group CROSS JOIN LATERAL (${ofGroup} LIMIT ${FEW_EVENTS + 1}) AS its_event`)}
        AS group_events,
      ${nameContains(Prisma.sql`account.email`, search)} AS is_owner,
      EXISTS (SELECT FROM api_key WHERE account_id = ${accountId} AND is_default
        AND ${contains(Prisma.sql`upper(id)`, search)}) AS is_default,
      ${upTo(Prisma.sql`event WHERE account_id = ${accountId} AND actor = 'browser'`)} AS browser_events,
      ${upTo(Prisma.sql`(${ofKinds(accountId, PRICE_KINDS, EVENT_ID, Prisma.sql`true`)}) AS priced`)} AS price_events
    FROM account WHERE account.id = ${accountId}`;
}

const GROUP_KINDS = ["group.created", "group.changed", "group.deleted"] as const;
const PRICE_KINDS = ACTIONS.filter((action) => action.startsWith("models."));

/**
 * `SELECT …` of the events of some kinds that fulfil a condition. Each kind is looked up by itself: for several at once
 * PostgreSQL may read all events, where it believes that there are few.
 */
function ofKinds(
  accountId: AccountId,
  kinds: readonly Action[],
  columns: Prisma.Sql,
  condition: Prisma.Sql,
): Prisma.Sql {
  // As literals, from which PostgreSQL sees that the index of kinds has these events.
  const each = kinds.map(
    (kind) => Prisma.sql`SELECT ${columns} FROM event
      WHERE account_id = ${accountId} AND action = ${Prisma.raw(`'${kind}'`)} AND ${condition}`,
  );
  return Prisma.join(each, " UNION ALL ");
}

/** Whether the name of a model of an event of prices has the text. Older versions wrote the names among the prices alone. */
function hasModelWithText(search: string): Prisma.Sql {
  const names = Prisma.sql`(SELECT string_agg(made ->> 'name', chr(10)) FROM jsonb_array_elements(prices) AS made)`;
  return Prisma.sql`CASE WHEN models IS NULL THEN ${nameContains(names, search)}
    ELSE ${contains(Prisma.sql`models`, search)} END`;
}
