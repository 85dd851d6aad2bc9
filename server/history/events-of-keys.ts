import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { contains, nameContains } from "../db/search";
import { chunkOf, FOR_EACH, isOfSomeKey, keysOf } from "./event-keys";
import { CHUNKED_FROM } from "./recording";
import { type FoundKeys, renamedKeys } from "./searched-keys";

// The events that concern keys with the text of a search: the keys are known, or each row `event` is asked.

/** Up to so many keys are looked for one by one in the chunks of large events. For more, all keys of the chunks are read. */
const FEW_PROBES = 100;

/**
 * Queries for the ids of the events that concern one of the keys that a search has found. Where a list of keys is empty there is
 * none for it: to find nothing, PostgreSQL walks through an index.
 */
export function eventsOfFoundKeys(accountId: AccountId, search: string, { keys, formerKeys }: FoundKeys): Prisma.Sql[] {
  const rows = (ids: readonly string[]) => Prisma.sql`
    SELECT event_id FROM event_key WHERE account_id = ${accountId} AND key_id = ANY(${ids}) AND ${isOfSomeKey}`;
  const hadText = nameContains(Prisma.sql`key_name`, search);
  return [
    ...(keys.length > 0 ? [rows(keys)] : []),
    ...(formerKeys.length > 0 ? [Prisma.sql`${rows(formerKeys)} AND ${hadText}`] : []),
    ...(keys.length + formerKeys.length > 0 ? [largeEvents(accountId, keys, formerKeys, search)] : []),
  ];
}

/**
 * The condition that an event concerns a key whose name has the text, now or then, or whose id has it. Where the renamed keys are not
 * known, the key is looked up by its whole id for each key of the event; a join would leave it to PostgreSQL's statistics to
 * read all keys for each event.
 * @param renamed the ids of `renamedKeys`.
 */
export function hasKeyWithText(
  accountId: AccountId,
  search: string,
  renamed: readonly string[] | undefined,
): Prisma.Sql {
  const textNow = Prisma.sql`(SELECT search_text FROM api_key key
    WHERE key.account_id = ${accountId} AND key.id = event_key.key_id)`;
  const hasTextNow = renamed
    ? Prisma.sql`(event_key.key_id = ANY(${renamed}) OR ${contains(Prisma.sql`upper(event_key.key_id COLLATE "C")`, search)})`
    : contains(textNow, search);
  // Not a join: PostgreSQL finds the renamed keys once, and looks each key of a chunk up among them.
  const isRenamed = renamed
    ? Prisma.sql`key_id = ANY(${renamed})`
    : Prisma.sql`(key_id IN (${renamedKeys(accountId, search)})) IS TRUE`;
  return Prisma.sql`EXISTS (
      SELECT FROM event_key
      WHERE event_key.account_id = ${accountId} AND event_key.event_id = event.id
        AND (${nameContains(Prisma.sql`event_key.key_name`, search)} OR ${hasTextNow})
      ${FOR_EACH}
    ) OR (event.key_count >= ${CHUNKED_FROM} AND (${hasChunkWithText(accountId, Prisma.sql`event.id`, search)}
      OR ${hasSomeKey(accountId, Prisma.sql`event.id`, renamed, isRenamed)}))`;
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
