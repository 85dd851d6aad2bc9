import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { insertRows } from "../db/bulk";
import type { Transaction } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import { exactJson } from "../limits/exact-amount";
import type { Action } from "./action";
import type { Actor } from "./actor";
import { type FieldsOfKeys, inColumns, sharedValue, sharedValues, type Values, valuesOfKeys } from "./key-values";

// Everything that writes to `event`, `event_key` and `event_key_chunk` is in this file. A change calls a function
// from here in its transaction, or puts a fragment from here into its statement.

/** An event of a group, of the account, or of a way to sign in. Values are plain JSON, and never a secret. */
export interface NewEvent {
  action: Action;
  /** Its moment, where it has to be that of another event; otherwise that at which it is written. */
  at?: Date;
  group?: { id: string; name: string };
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
  /** The event that this one undoes. */
  reverts?: string;
}

/** Writes an event that concerns no key. Call it in the transaction of the change. Returns the id of the event. */
export function recordEvent(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  { action, at, group, before = {}, after = {}, reverts }: NewEvent,
): Prisma.PrismaPromise<{ id: string }> {
  return transaction.event.create({
    data: {
      ...eventOf(accountId, actor),
      action,
      ...(at && { at }),
      ...(group && { groupId: group.id, groupName: group.name }),
      before,
      after,
      ...(reverts !== undefined && { reverts }),
    },
    select: { id: true },
  });
}

/** An event of a change of prices of models. */
export interface NewPricesEvent {
  action: Action;
  before: Values;
  after: Values;
  /** Every price that it changed: the text of a JSON array, because a number has fewer digits than a price may have. */
  prices: string;
  /** The names of these models. */
  models: readonly string[];
  /** The event that this one undoes. */
  reverts?: string | undefined;
}

/** Writes an event of prices. Call it in the transaction of the change. Returns the id of the event. */
export async function recordPricesEvent(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  { action, before, after, prices, models, reverts }: NewPricesEvent,
): Promise<string> {
  const id = newObjectId();
  await transaction.$executeRaw`
    INSERT INTO event (account_id, id, actor, actor_name, address, action, before, after, prices, models, reverts)
    VALUES (${accountId}, ${id}, ${actor.kind}, ${actor.name}, ${actor.address}, ${action},
      ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${prices}::jsonb,
      upper(${[...new Set(models)].join("\n")}::text COLLATE "und-x-icu"), ${reverts ?? null})`;
  return id;
}

const HOUR_SECONDS = 3_600;

/** Attempts of one kind on one account. */
export interface CountedAttempts {
  action: "sign_in.failed" | "sign_in.locked_out";
  /** With what the sign-in was tried. */
  method: string;
  /** How many more there were. */
  attempts: number;
}

/**
 * Counts attempts in the history: one event for each account, action, method and clock hour, whose number of attempts
 * grows, so that nobody can fill the history of an account. Its address is that of the last attempt. Its id follows from
 * account, action, method and hour, so that the primary key keeps it single, also when several processes count.
 */
export async function countAttempts(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  { action, method, attempts }: CountedAttempts,
): Promise<void> {
  const hour = Math.floor(Date.now() / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
  const rest = createHash("sha256").update(`${accountId} ${action} ${method} ${hour}`).digest("hex").slice(0, 16);
  const id = hour.toString(16).padStart(8, "0") + rest;
  await transaction.$executeRaw`
    INSERT INTO event (account_id, id, actor, actor_name, address, action, after)
    VALUES (${accountId}, ${id}, ${actor.kind}, ${actor.name}, ${actor.address}, ${action},
      ${JSON.stringify({ method, attempts })}::jsonb)
    ON CONFLICT (account_id, id) DO UPDATE SET
      address = EXCLUDED.address,
      after = jsonb_set(event.after, '{attempts}', ((event.after ->> 'attempts')::int + ${attempts}::int)::text::jsonb)`;
}

/** Writes an event that concerns one key, without values before the change. Call it in the transaction of the change. */
export async function recordKeyEvent(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  key: { id: string; name: string },
  { action, after }: { action: Action; after: Prisma.InputJsonObject },
): Promise<void> {
  const event = eventOf(accountId, actor);
  await transaction.event.create({ data: { ...event, action, keyCount: 1, after }, select: { id: true } });
  await transaction.eventKey.create({
    data: { accountId, eventId: event.id, keyId: key.id, keyName: key.name, before: {} },
    select: { keyId: true },
  });
}

function eventOf(accountId: AccountId, actor: Actor) {
  return { accountId, id: newObjectId(), actor: actor.kind, actorName: actor.name, address: actor.address };
}

/** A request for a change that has a name, and what it is answered. See server/keys/repeated-request-queries.ts. */
export interface AnsweredRequest {
  /** The id of its event. */
  eventId: string;
  /** Stands for the keys that it is for. */
  target: string;
  /** How many keys are as asked for. Null: those that it changed. */
  updated: number | null;
  /** After which key the next call of a walk begins; null: there is none. */
  next: string | null;
}

/** An event of one change of any number of keys. */
export interface NewKeysEvent {
  /** The request that made the change, where it has a name. */
  request?: AnsweredRequest | undefined;
  action: Action;
  /** The group that the event names. */
  groupId?: string | undefined;
  /** The values after, which are the same for all keys. A relative change of a limit stands for those that are not. */
  after: Prisma.InputJsonObject;
  /** The event that this one undoes. */
  reverts?: string | undefined;
}

/**
 * Common table expressions that write one event for the keys in `target`, an expression before them with the columns
 * `id`, `name` and `before`. They write nothing when `target` is empty. They stand in the statement of the change, so
 * that there is no change without its event.
 */
export function keysEventExpressions(accountId: AccountId, actor: Actor, event: NewKeysEvent): Prisma.Sql {
  const eventId = newObjectId();
  const keyCount = Prisma.sql`(SELECT count(*) FROM target)`;
  return Prisma.sql`${keysEvent(accountId, eventId, actor, event, keyCount)}, new_event_key AS (
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
      SELECT ${accountId}, ${eventId}, id, name, before FROM target
    )`;
}

/** An event of this many keys or more is stored in chunks. Below, each key has a row of its own. */
export const CHUNKED_FROM = 1_000;
const KEYS_OF_CHUNK = 500;

/**
 * The same for a change of any number of keys. The values before and after stand in the columns of `target` that
 * `beforeColumns` and `afterColumns` make. A chunk has one row, and a value that all its keys had is stored once. So the
 * history of 100,000 keys costs a quarter of their change, and not as much again. `counted` has one row with `keys`, the
 * number of these keys, from what was written. `target` must be NOT MATERIALIZED: to keep 100,000 keys aside takes longer
 * than to read them where they are needed.
 */
export function manyKeysEventExpressions(
  accountId: AccountId,
  actor: Actor,
  event: NewKeysEvent,
  fields: FieldsOfKeys,
): Prisma.Sql {
  const eventId = event.request?.eventId ?? newObjectId();
  const isChunked = Prisma.sql`(SELECT is_chunked FROM extent)`;
  const keyCount = Prisma.sql`(SELECT keys FROM counted)`;
  return Prisma.sql`extent AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM target OFFSET ${CHUNKED_FROM - 1} LIMIT 1) AS is_chunked
    ), new_event_key AS (
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before, after)
      SELECT ${accountId}, ${eventId}, id, name, ${valuesOfKeys(fields, (column) => column)} FROM target
      WHERE NOT ${isChunked} RETURNING key_id
    ), ${keyChunks(accountId, eventId, fields, Prisma.sql`WHERE ${isChunked}`)}, counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM new_event_key) + (SELECT coalesce(sum(key_count), 0) FROM new_event_key_chunk) AS keys
    ), ${keysEvent(accountId, eventId, actor, event, keyCount)}`;
}

/**
 * A common table expression that writes keys of an event that `recordLargeEvent` will write. They stand in `target`, as
 * for `manyKeysEventExpressions`.
 */
export function keysOfLargeEvent(accountId: AccountId, eventId: string, fields: FieldsOfKeys): Prisma.Sql {
  return keyChunks(accountId, eventId, fields, Prisma.empty);
}

/** Writes the event whose keys are there already, if there are any. Call it in the transaction that makes the change hold. */
export async function recordLargeEvent(
  transaction: Transaction,
  accountId: AccountId,
  eventId: string,
  actor: Actor,
  event: NewKeysEvent,
): Promise<number> {
  const keyCount = Prisma.sql`(SELECT coalesce(sum(key_count), 0) FROM event_key_chunk
    WHERE account_id = ${accountId} AND event_id = ${eventId})`;
  const rows = await transaction.$queryRaw<{ key_count: number }[]>`
    ${insertKeysEvent(accountId, eventId, actor, event, keyCount)} RETURNING key_count`;
  return rows[0]?.key_count ?? 0;
}

/** The values after that all keys of an event share, from its keys that are there already. */
export async function sharedAfter(transaction: Transaction, accountId: AccountId, eventId: string): Promise<Values> {
  const rows = await transaction.$queryRaw<{ field: string; value: unknown }[]>`
    SELECT field, min(value::text)::jsonb AS value
    FROM event_key_chunk CROSS JOIN LATERAL jsonb_each(after) AS shared(field, value)
    WHERE account_id = ${accountId} AND event_id = ${eventId}
    GROUP BY field HAVING count(DISTINCT value) = 1 AND bool_and(jsonb_typeof(value) <> 'array')`;
  return Object.fromEntries(rows.map(({ field, value }) => [field, value]));
}

/** Deletes keys of an event that will never be written. Call it in the transaction that undoes the change. */
export async function forgetKeysOfLargeEvent(
  transaction: Transaction,
  accountId: AccountId,
  eventId: string,
): Promise<void> {
  await transaction.$executeRaw`DELETE FROM event_key_chunk
    WHERE account_id = ${accountId} AND event_id = ${eventId}
      AND NOT EXISTS (SELECT FROM event WHERE event.account_id = ${accountId} AND event.id = ${eventId})`;
}

/** A key of an event whose values differ from key to key. */
export interface RecordedKey {
  id: string;
  name: string;
  before: Values;
  after: Values;
}

/**
 * Writes the event of a change whose values differ from key to key. The event has the values after that all keys share,
 * each key has the others. Returns the id of the event.
 */
export async function recordDifferingKeys(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  { action, group, reverts }: Pick<NewEvent, "action" | "group" | "reverts">,
  keys: readonly RecordedKey[],
): Promise<string> {
  const event = eventOf(accountId, actor);
  const shared = sharedValues(keys.map(({ after }) => after));
  await transaction.$executeRaw`
    INSERT INTO event (account_id, id, actor, actor_name, address, action, group_id, group_name, key_count, after, reverts)
    VALUES (${accountId}, ${event.id}, ${actor.kind}, ${actor.name}, ${actor.address}, ${action}, ${group?.id ?? null},
      ${group?.name ?? null}, ${keys.length}, ${exactJson(shared)}::jsonb, ${reverts ?? null})`;
  if (keys.length >= CHUNKED_FROM) {
    await recordDifferingChunks(transaction, accountId, event.id, keys);
    return event.id;
  }
  const rows = keys.map(({ id, name, before, after }) => {
    const own = Object.entries(after).filter(([field]) => !(field in shared));
    return { id, name, before, after: own.length === 0 ? null : Object.fromEntries(own) };
  });
  await transaction.$executeRaw`INSERT INTO event_key (account_id, event_id, key_id, key_name, before, after)
    SELECT ${accountId}, ${event.id}, id, name, before, NULLIF(after, 'null')
    FROM jsonb_to_recordset(${exactJson(rows)}::jsonb) AS given(id text, name text, before jsonb, after jsonb)`;
  return event.id;
}

/** Writes keys of an event in chunks. `recordLargeEvent` writes the event itself. */
async function recordDifferingChunks(
  transaction: Transaction,
  accountId: AccountId,
  eventId: string,
  keys: readonly RecordedKey[],
): Promise<void> {
  const chunks = [];
  for (let from = 0; from < keys.length; from += KEYS_OF_CHUNK) {
    const some = keys.slice(from, from + KEYS_OF_CHUNK);
    chunks.push({
      ids: some.map(({ id }) => id),
      names: some.map(({ name }) => name),
      before: inColumns(some.map(({ before }) => before)),
      after: inColumns(some.map(({ after }) => after)),
    });
  }
  // The database finds the first and the last id, because it has an order of its own.
  await transaction.$executeRaw`INSERT INTO event_key_chunk
      (account_id, event_id, first_key_id, last_key_id, key_count, key_ids, key_names, before, after)
    SELECT ${accountId}, ${eventId}, (SELECT min(id) FROM unnest(ids) AS id), (SELECT max(id) FROM unnest(ids) AS id),
      cardinality(ids), ids, names, before, after
    FROM jsonb_to_recordset(${exactJson(chunks)}::jsonb)
      AS given(ids text[], names text[], before jsonb, after jsonb)`;
}

function keyChunks(accountId: AccountId, eventId: string, fields: FieldsOfKeys, where: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`new_event_key_chunk AS (
      INSERT INTO event_key_chunk (account_id, event_id, first_key_id, last_key_id, key_count, key_ids, key_names, before, after)
      SELECT ${accountId}, ${eventId}, min(id), max(id), count(*), array_agg(id), array_agg(name),
        ${valuesOfKeys(fields, sharedValue)}
      FROM (SELECT *, (row_number() OVER (ORDER BY id) - 1) / ${KEYS_OF_CHUNK} AS chunk FROM target) AS placed
      ${where} GROUP BY chunk RETURNING key_count
    )`;
}

function keysEvent(
  accountId: AccountId,
  eventId: string,
  actor: Actor,
  event: NewKeysEvent,
  keyCount: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`new_event AS (
      ${insertKeysEvent(accountId, eventId, actor, event, keyCount)}
    )`;
}

/** Inserts the event of a change of keys, unless it has changed none. */
function insertKeysEvent(
  accountId: AccountId,
  eventId: string,
  actor: Actor,
  { action, groupId = undefined, after, reverts = undefined, request = undefined }: NewKeysEvent,
  keyCount: Prisma.Sql,
): Prisma.Sql {
  const group = groupId ?? null;
  const answered = request && JSON.stringify({ target: request.target, updated: request.updated, next: request.next });
  return Prisma.sql`INSERT INTO event
      (account_id, id, actor, actor_name, address, action, group_id, group_name, key_count, after, reverts, request)
    SELECT ${accountId}, ${eventId}, ${actor.kind}, ${actor.name}, ${actor.address}, ${action}, ${group},
      (SELECT name FROM api_key_group WHERE account_id = ${accountId} AND id = ${group}),
      ${keyCount}, ${JSON.stringify(after)}::jsonb, ${reverts ?? null}, ${answered ?? null}::jsonb
    WHERE ${keyCount} > 0`;
}

const KEY_CREATED: Action = "key.created";

/**
 * Common table expressions, as text for a prepared statement, that write the event of each new key. The keys are the rows
 * of `asked`, an expression before them with the columns `account_id`, `id`, `name`, `group_id`, `group_name`, `event_id`,
 * `actor`, `actor_name`, `address` and `after`.
 */
export const newKeysEventExpressions = `new_event AS (
      INSERT INTO event (account_id, id, actor, actor_name, address, action, group_id, group_name, key_count, after)
      SELECT account_id, event_id, actor, actor_name, address, '${KEY_CREATED}', group_id, group_name, 1, after
      FROM asked
    ), new_event_key AS (
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
      SELECT account_id, event_id, id, name, '{}'
      FROM asked
    )`;

/** A row of `event` without its account. */
export interface EventRow {
  id: string;
  at: string;
  actor: Actor["kind"];
  actor_name: string;
  address: string | null;
  action: Action;
  group_id: string | null;
  group_name: string | null;
  key_count: number;
  before: object;
  after: object;
}

/** A row of `event_key` without its account. */
export interface EventKeyRow {
  event_id: string;
  key_id: string;
  key_name: string;
  before: object;
}

/** Inserts a whole history at once, for demo data. Call it in the transaction that inserts the keys. */
export async function insertHistory(
  client: PoolClient,
  accountId: AccountId,
  { events, eventKeys }: { events: readonly EventRow[]; eventKeys: readonly EventKeyRow[] },
  onProgress?: (rows: number) => void,
): Promise<void> {
  await insertRows(client, accountId, "event", events, onProgress);
  await insertRows(client, accountId, "event_key", eventKeys, onProgress);
}
