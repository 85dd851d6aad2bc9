import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { CHUNKED_FROM } from "./recording";

/** How many chunks `keysOfEventAfter` reads. */
const CHUNKS_OF_PART = 10;

// The keys of an event stand in `event_key`, a row each, or in `event_key_chunk`, 500 a row. These fragments read both.

/**
 * The condition of the index by which the events of keys are found. Every row fulfils it. What looks up the keys of an event
 * does not name it, so that PostgreSQL cannot read all rows of the account by this index.
 */
export const isOfSomeKey = Prisma.sql`key_id > ''`;

/**
 * At the end of a sub-query: it is asked for each event. Otherwise PostgreSQL may read all keys of all events at once, or compare
 * all of them with all events.
 */
export const FOR_EACH = Prisma.sql`OFFSET 0`;

/** The keys of chunks `chunk`, for `FROM`: `key_id`, `key_name`, and their `place` in the chunk. */
const unpacked = Prisma.sql`CROSS JOIN LATERAL unnest(chunk.key_ids, chunk.key_names) WITH ORDINALITY
    AS listed(key_id, key_name, place)`;

/**
 * The keys of some chunks, and their names at that time: `key_id` and `key_name`. It takes a third of the time of `unpacked`,
 * for which PostgreSQL keeps the keys of each chunk aside.
 */
export function keysOf(chunks: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT unnest(chunk.key_ids) AS key_id, unnest(chunk.key_names) AS key_name FROM (${chunks}) AS chunk`;
}

/** The values of the key at a place of a chunk: an array has one for each key, anything else is that of all. */
function ofPlace(column: "before" | "after"): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(jsonb_object_agg(field,
      CASE jsonb_typeof(value) WHEN 'array' THEN value -> (listed.place::int - 1) ELSE value END), '{}')
    FROM jsonb_each(chunk.${Prisma.raw(column)}) AS shared(field, value)) AS ${Prisma.raw(column)}`;
}

/** The values before, and the values after that differ from key to key. */
const ofChunk = Prisma.sql`${ofPlace("before")}, ${ofPlace("after")}`;
const ofRow = Prisma.sql`before, coalesce(after, '{}') AS after`;

/** The next chunks of an event, whose keys begin after a given id. @param chunks how many: so that they have about 5,000 keys. */
export function chunksAfter(accountId: AccountId, eventId: string, after: string, chunks = CHUNKS_OF_PART): Prisma.Sql {
  return Prisma.sql`SELECT * FROM event_key_chunk
    WHERE account_id = ${accountId} AND event_id = ${eventId} AND first_key_id > ${after}
    ORDER BY first_key_id LIMIT ${chunks}`;
}

/** The fields of which the chunks of an event have values: `field`. */
export function fieldsOfChunks(accountId: AccountId, eventId: string): Prisma.Sql {
  return Prisma.sql`SELECT DISTINCT field FROM event_key_chunk CROSS JOIN LATERAL jsonb_object_keys(before) AS field
    WHERE account_id = ${accountId} AND event_id = ${eventId}`;
}

/**
 * Columns of a chunk for `fieldOfPlace`: the value of a field that all keys of the chunk share, or the list of the values that
 * they have.
 * @param values the values by field, as a chunk has them.
 * @param name what to call the field.
 * @param read makes the value of its text. What keys share is read once, and not for each key.
 */
export function unpackedField(values: string, field: string, name: string, read: (text: string) => string): string {
  const list = `CASE jsonb_typeof(${values} -> '${field}') WHEN 'array' THEN ${values} -> '${field}' END`;
  const text = `CASE WHEN ${list} IS NULL THEN ${values} ->> '${field}' END`;
  return `${list} AS ${name}_of_each, ${read(`(${text})`)} AS ${name}_of_all`;
}

/** An unpacked field of the key at the place `listed.place` of a `chunk`. @param read as in `unpackedField`. */
export function fieldOfPlace(name: string, read: (text: string) => string): string {
  const text = `(chunk.${name}_of_each ->> (listed.place::int - 1))`;
  return `coalesce(chunk.${name}_of_all, ${read(text)}) AS ${name}`;
}

/**
 * The ids of the account's events that concern a key. Of each event of many keys, it reads the one chunk between whose
 * ends the key would lie.
 */
export function eventsOfKey(accountId: AccountId, apikeyId: string): Prisma.Sql {
  return Prisma.sql`SELECT event_id AS id FROM event_key
    WHERE account_id = ${accountId} AND key_id = ${apikeyId} AND ${isOfSomeKey}
    UNION ALL
    SELECT large.id FROM event AS large CROSS JOIN LATERAL (${chunkOf(accountId, Prisma.sql`large.id`, apikeyId)}) AS chunk
    WHERE large.account_id = ${accountId} AND large.key_count >= ${Prisma.raw(String(CHUNKED_FROM))}
      AND ${apikeyId} = ANY(chunk.key_ids)`;
}

/**
 * The first few keys of an event, by their ids: `key_id`, `key_name`, `before` and `after`.
 * @param eventId an SQL expression.
 * @param apikeyId only this key.
 */
export function firstKeysOf(
  accountId: AccountId,
  eventId: Prisma.Sql,
  apikeyId: string | undefined,
  limit: number,
): Prisma.Sql {
  const ofKey = apikeyId === undefined ? Prisma.empty : Prisma.sql`AND key_id = ${apikeyId}`;
  const chunk =
    apikeyId === undefined
      ? Prisma.sql`SELECT * FROM event_key_chunk WHERE account_id = ${accountId} AND event_id = ${eventId}
          ORDER BY first_key_id LIMIT 1`
      : chunkOf(accountId, eventId, apikeyId);
  return Prisma.sql`(SELECT key_id, key_name, ${ofRow} FROM event_key
      WHERE account_id = ${accountId} AND event_id = ${eventId} ${ofKey} ORDER BY key_id LIMIT ${limit})
    UNION ALL
    (SELECT key_id, key_name, ${ofChunk} FROM (${chunk}) AS chunk ${unpacked}
      WHERE true ${ofKey} ORDER BY key_id LIMIT ${limit})`;
}

/** The only chunk of an event that may have a key. `apikeyId` is an id or an SQL expression. */
export function chunkOf(accountId: AccountId, eventId: Prisma.Sql, apikeyId: string | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT * FROM event_key_chunk
    WHERE account_id = ${accountId} AND event_id = ${eventId} AND first_key_id <= ${apikeyId}
    ORDER BY first_key_id DESC LIMIT 1`;
}

/** A page of the keys of an event, by their ids: `key_id`, `key_name`, `before` and `after`. It reads the chunks of the page alone. */
export function pageOfKeysOf(accountId: AccountId, eventId: string, limit: number, offset: number): Prisma.Sql {
  const ofEvent = Prisma.sql`WHERE account_id = ${accountId} AND event_id = ${eventId}`;
  return Prisma.sql`(SELECT key_id, key_name, ${ofRow} FROM event_key ${ofEvent}
      ORDER BY key_id LIMIT ${limit} OFFSET ${offset})
    UNION ALL
    (SELECT listed.key_id, listed.key_name, ${ofChunk} FROM (
        SELECT *, sum(key_count) OVER (ORDER BY first_key_id) - key_count AS keys_before
        FROM event_key_chunk ${ofEvent}
      ) AS chunk CROSS JOIN LATERAL (
        SELECT key_id, key_name, place, row_number() OVER (ORDER BY key_id) AS rank
        FROM unnest(chunk.key_ids, chunk.key_names) WITH ORDINALITY AS one(key_id, key_name, place)
      ) AS listed
      WHERE chunk.keys_before < ${offset + limit} AND chunk.keys_before + chunk.key_count > ${offset}
        AND chunk.keys_before + listed.rank BETWEEN ${offset + 1} AND ${offset + limit}
      ORDER BY listed.key_id)`;
}

/**
 * Some 5,000 of the keys of an event whose ids lie after a given one, by their ids: `key_id`, `key_name`, `before` and
 * `after`. It reads whole chunks, so the last key is the end of one.
 */
export function keysOfEventAfter(accountId: AccountId, eventId: string, after: string): Prisma.Sql {
  const ofEvent = Prisma.sql`WHERE account_id = ${accountId} AND event_id = ${eventId}`;
  return Prisma.sql`SELECT * FROM (
      (SELECT key_id, key_name, ${ofRow} FROM event_key ${ofEvent} AND key_id > ${after})
      UNION ALL
      (SELECT listed.key_id, listed.key_name, ${ofChunk} FROM (${chunksAfter(accountId, eventId, after)}) AS chunk ${unpacked})
    ) AS found ORDER BY key_id`;
}
