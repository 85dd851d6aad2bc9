import type { PoolClient } from "pg";
import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { insertRows } from "../db/bulk";
import type { Transaction } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import type { Action } from "./action";
import type { Actor } from "./actor";

// Everything that writes to `event` and `event_key` is in this file. A change calls a function
// from here in its transaction, or puts a fragment from here into its statement.

/** An event of a group, of the account, or of a way to sign in. Values are plain JSON, and never a secret. */
export interface NewEvent {
  action: Action;
  group?: { id: string; name: string };
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

/** Writes an event that concerns no key. Call it in the transaction of the change. */
export function recordEvent(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  { action, group, before = {}, after = {} }: NewEvent,
): Prisma.PrismaPromise<unknown> {
  return transaction.event.create({
    data: {
      ...eventOf(accountId, actor),
      action,
      ...(group && { groupId: group.id, groupName: group.name }),
      before,
      after,
    },
    select: { id: true },
  });
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

/** An event of one change of any number of keys. */
export interface NewKeysEvent {
  action: Action;
  /** The group that the event names. */
  groupId?: string | undefined;
  /** The values after, which are the same for all keys. */
  after: Prisma.InputJsonObject;
}

/**
 * Common table expressions that write one event for the keys in `target`, an expression before them with the columns
 * `id`, `name` and `before`. They write nothing when `target` is empty. They stand in the statement of the change, so
 * that a change of 100,000 keys and its history take one statement.
 */
export function keysEventExpressions(
  accountId: AccountId,
  actor: Actor,
  { action, groupId = undefined, after }: NewKeysEvent,
): Prisma.Sql {
  const eventId = newObjectId();
  const group = groupId ?? null;
  return Prisma.sql`new_event AS (
      INSERT INTO event (account_id, id, actor, actor_name, address, action, group_id, group_name, key_count, after)
      SELECT ${accountId}, ${eventId}, ${actor.kind}, ${actor.name}, ${actor.address}, ${action}, ${group},
        (SELECT name FROM api_key_group WHERE account_id = ${accountId} AND id = ${group}),
        (SELECT count(*) FROM target), ${JSON.stringify(after)}::jsonb
      WHERE EXISTS (SELECT FROM target)
    ), new_event_key AS (
      INSERT INTO event_key (account_id, event_id, key_id, key_name, before)
      SELECT ${accountId}, ${eventId}, id, name, before FROM target
    )`;
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
  address: string;
  action: Action;
  group_id: string | null;
  group_name: string | null;
  key_count: number;
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
): Promise<void> {
  await insertRows(client, accountId, "event", events);
  await insertRows(client, accountId, "event_key", eventKeys);
}
