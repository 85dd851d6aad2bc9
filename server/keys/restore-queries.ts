import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import type { Actor } from "../history/actor";
import { chunksAfter, fieldOfPlace, unpackedField } from "../history/event-keys";
import { afterColumns, beforeColumns, type Values } from "../history/key-values";
import { keysOfLargeEvent, type RecordedKey, recordLargeEvent, sharedAfter } from "../history/recording";
import { newObjectId } from "../input/new-object-id";
import {
  isLimit,
  isStoredLimit,
  keptLimits,
  limitDecimals,
  limitOfText,
  limitSelection,
  plainOfText,
  recordedLimit,
} from "../limits/columns";
import { exactJson } from "../limits/exact-amount";
import { type LIMIT_NAMES, type LimitName, type Limits, WINDOWS, type Window } from "../limits/schema";
import { measureLargeChange } from "../metrics/large-changes";
import { beside, changeAlone, LargeChangeUnderWay } from "./change-order-queries";
import { isChangedLargely } from "./change-queries";
import { analyzeIfUnknown, completeLargeChange, inLease, openLargeChange } from "./large-change-parts";
import { IN_ONE_TRANSACTION, undoLargeChange } from "./large-change-queries";
import { isOfStatus, keyRelations, usedOf } from "./selection";
import { currentDay, isDisabled, isKept, isRevoked } from "./state";

// Writes values that differ from key to key, as an event has kept them.

/** A key as it is now, as far as a change of it can be undone. */
export interface PresentKey extends Limits {
  id: string;
  name: string;
  is_default: boolean;
  is_revoked: boolean;
  is_disabled: boolean;
  group_id: string | null;
  group: string | null;
  /** The decimals of its amounts. */
  decimals: Readonly<Record<string, string | null>>;
  /** Whether its status is `active`. */
  is_active: boolean;
  /** Spent and held in each window, in yuan. */
  used: Record<Window, number>;
  /** The day that the key is in, in the account's zone. */
  today: string;
}

/** Reads keys of the account, by their ids. Those that do not exist are left out. */
export async function readPresentKeys(
  db: Transaction,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, PresentKey>> {
  const used = WINDOWS.map((name) => Prisma.sql`${Prisma.raw(`'${name}'`)}, ${usedOf(accountId, name)}::float8`);
  const keys = await db.$queryRaw<PresentKey[]>`
    SELECT key.id, key.name, key.is_default, ${Prisma.raw(isRevoked)} AS is_revoked,
      ${Prisma.raw(isDisabled)} AS is_disabled, key.group_id, api_key_group.name AS "group", ${limitSelection},
      ${limitDecimals} AS decimals,
      ${isOfStatus(accountId, "active")} AS is_active, jsonb_build_object(${Prisma.join(used)}) AS used,
      ${Prisma.raw(currentDay)}::text AS today
    FROM api_key key ${keyRelations(accountId)} WHERE key.account_id = ${accountId} AND key.id = ANY(${ids})`;
  return new Map(keys.map((key) => [key.id, key]));
}

/**
 * Locks keys in the order of their ids until the transaction ends. What is read in a statement after this one is of now.
 * @throws {LargeChangeUnderWay}
 */
export async function lockKeys(transaction: Transaction, accountId: AccountId, ids: readonly string[]): Promise<void> {
  await transaction.$executeRaw`SELECT FROM ${beside(accountId)}`;
  if (await isChangedLargely(transaction, accountId, ids)) throw new LargeChangeUnderWay();
  await transaction.$queryRaw`SELECT FROM api_key WHERE account_id = ${accountId} AND id = ANY(${ids})
    ORDER BY id FOR NO KEY UPDATE`;
}

/** A field of a key that can be written back. */
export type RestoredField = (typeof LIMIT_NAMES)[number] | "name" | "group_id" | "disabled";

/** A key that gets values back. */
export interface RestoredKey extends RecordedKey {
  /** What is written, amounts to their last decimal. */
  restored: Values;
}

/** Writes values of keys that are locked. Each key has its own. */
export async function restoreKeys(
  transaction: Transaction,
  accountId: AccountId,
  keys: readonly RestoredKey[],
  fields: readonly RestoredField[],
): Promise<void> {
  // The keys are found by their ids alone, and each looks its values up in one object. A join with a list of values would
  // leave to PostgreSQL's statistics whether each key is compared with all values.
  const values = Object.fromEntries(keys.map(({ id, restored }) => [id, restored]));
  const set = fields.map((field) => {
    const value = `((SELECT of_key FROM given) -> key.id ->> '${field}')`;
    if (field === "disabled")
      return `disabled_at = CASE WHEN ${value}::boolean THEN coalesce(disabled_at, (SELECT now FROM given)) END`;
    return `${field} = ${field === "name" || field === "group_id" ? value : limitOfText(field, value)}`;
  });
  await transaction.$executeRaw`WITH given AS MATERIALIZED (SELECT ${exactJson(values)}::jsonb AS of_key, now() AS now)
    UPDATE api_key key SET ${Prisma.raw(set.join(", "))}, version = key.version + 1
    WHERE key.account_id = ${accountId} AND key.id = ANY(${keys.map(({ id }) => id)}) AND ${Prisma.raw(isKept)}`;
}

/** A large change of limits that is undone. */
export interface LargeRestoring {
  /** The event of the change. */
  eventId: string;
  /** The limits that it wrote. */
  names: readonly LimitName[];
  /** The values after that all keys share. */
  after: Values;
  keyCount: number;
  /** The group that the event of the undoing names. */
  groupId: string | undefined;
  /** Also keys that were changed since. */
  isForced: boolean;
}

/** Tells of a part which of its keys were left as they are, in the transaction that has written the others. */
export type ToldOfLeft = (transaction: Transaction, ids: readonly string[], first: string) => Promise<void>;

/**
 * Writes limits back as an event of many keys has kept them, all or none, with one event. Those of more than 100,000 keys go
 * in parts that hold all at once (docs/decisions/large-changes.md), as the change of them did. The database compares and
 * writes: 100,000 keys need not come to the process and go back. What is compared is the rule of server/history/revert.ts.
 * Returns how many keys were written, and the id of the event; undefined when there was no key.
 * @throws {LargeChangeUnderWay}
 */
export async function restoreLargely(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  restoring: LargeRestoring,
  told: ToldOfLeft,
): Promise<{ updated: number; eventId: string | undefined }> {
  const { eventId: reverts, groupId, keyCount } = restoring;
  if (keyCount <= IN_ONE_TRANSACTION) {
    await analyzeIfUnknown(db, keyCount);
    return db.prisma.$transaction(async (transaction) => {
      await changeAlone(transaction, accountId);
      const eventId = newObjectId();
      // A chunk has at least one key. So these are all. Key by key, a range of an index would visit each page of the table again
      // and again for so many.
      await transaction.$queryRaw`SELECT set_config('enable_indexscan', 'off', true)`;
      const { updated, left } = await restorePart(transaction, accountId, eventId, restoring, {
        chunks: chunksAfter(accountId, reverts, "", keyCount),
        kept: Prisma.empty,
      });
      await transaction.$executeRaw`SET LOCAL enable_indexscan TO DEFAULT`;
      if (left.length > 0) await told(transaction, left, "");
      if (updated === 0) return { updated, eventId: undefined };
      const after = (await sharedAfter(transaction, accountId, eventId)) as Prisma.InputJsonObject;
      const event = { action: "key.limits_set", groupId, after, reverts } as const;
      await recordLargeEvent(transaction, accountId, eventId, actor, event);
      return { updated, eventId };
    });
  }
  const lease = await openLargeChange(db, accountId, keyCount);
  if (!lease) return { updated: 0, eventId: undefined };
  return measureLargeChange(async () => {
    try {
      const { eventId } = lease;
      const kept = Prisma.sql`${keptLimits}, limit_change_id = ${eventId},`;
      let updated = 0;
      for (let next: string | null = ""; next !== null; ) {
        const from: string = next;
        const part = await inLease(db, lease, async (transaction) => {
          const chunks = chunksAfter(accountId, reverts, from);
          const written = await restorePart(transaction, accountId, eventId, restoring, { chunks, kept });
          if (written.left.length > 0) await told(transaction, written.left, from);
          return written;
        });
        updated += part.updated;
        next = part.last;
      }
      if (updated === 0) {
        await undoLargeChange(db, lease);
        return { updated, eventId: undefined };
      }
      const after = (await sharedAfter(db.prisma, accountId, eventId)) as Prisma.InputJsonObject;
      await completeLargeChange(db, lease, actor, { groupId, after, reverts });
      return { updated, eventId };
    } catch (error) {
      // When this fails too, the upkeep of some process does it.
      await undoLargeChange(db, lease).catch(() => {});
      throw error;
    }
  });
}

/**
 * Writes the keys of some chunks, while nobody else changes limits of keys of the account. `left` are those that it did not
 * write, and `last` is where the next part begins.
 * @param kept more assignments, with a comma behind.
 */
async function restorePart(
  transaction: Transaction,
  accountId: AccountId,
  eventId: string,
  { names, after, isForced }: LargeRestoring,
  { chunks, kept }: { chunks: Prisma.Sql; kept: Prisma.Sql },
): Promise<{ updated: number; left: string[]; last: string | null }> {
  const raw = (of: (name: LimitName) => string, separator: string) => Prisma.raw(names.map(of).join(separator));
  // A range, so that each row of it is read once. A list could be compared with each row where statistics are old.
  const isGiven = Prisma.sql`BETWEEN (SELECT min(first_key_id) FROM chunk) AND (SELECT max(last_key_id) FROM chunk)`;
  // Where only a key is written that is as the event has left it, these values are given too, which is less work.
  const ofBefore = (name: LimitName) => recordedLimit(name, isForced ? `was.${name}` : `given.left_${name}`);
  const was = isForced
    ? Prisma.sql`JOIN api_key was ON was.account_id = ${accountId} AND was.id ${isGiven} AND was.id = given.id`
    : Prisma.empty;
  const byName = (of: (name: LimitName) => string) =>
    Object.fromEntries(names.map((name) => [name, Prisma.raw(of(name))]));
  const recorded = Prisma.sql`${beforeColumns(byName(ofBefore))} ${afterColumns(byName((name) => recordedLimit(name, `given.restored_${name}`)))}`;
  // What is written, the same as plain JSON, and what the event left.
  const fields = names.flatMap((name) => {
    const stored = (text: string) => limitOfText(name, text);
    return [
      { values: "before", name, as: `restored_${name}`, read: stored },
      { values: "before", name, as: `plain_${name}`, read: (text: string) => plainOfText(name, text) },
      { values: "left_values", name, as: `left_${name}`, read: stored },
    ];
  });
  const unpacked = fields.map(({ values, name, as, read }) => unpackedField(values, name, as, read)).join(", ");
  const ofKey = fields.map(({ as, read }) => fieldOfPlace(as, read)).join(", ");
  // A loop would compare each key with the values of all others, if PostgreSQL took the list for a short one.
  await transaction.$queryRaw`SELECT set_config('enable_nestloop', 'off', true)`;
  const [part] = await transaction.$queryRaw<{ updated: number; left: string[]; last: string | null }[]>`
    WITH chunk AS MATERIALIZED (
      -- What is put together is unpacked once, and not for each key.
      SELECT first_key_id, last_key_id, key_ids,
        ${Prisma.raw(unpacked)},
        ${raw((name) => `before -> '${name}' IS NOT NULL`, " AND ")}
          AND (${isForced} OR (${raw((name) => `left_values -> '${name}' IS NOT NULL`, " AND ")})) AS is_restorable
      FROM (
        SELECT *, ${JSON.stringify(after)}::jsonb || coalesce(after, '{}') AS left_values FROM (${chunks}) AS next OFFSET 0
      ) AS told
    ), given AS MATERIALIZED (
      SELECT listed.key_id AS id, ${Prisma.raw(ofKey)}
      FROM chunk CROSS JOIN LATERAL unnest(chunk.key_ids) WITH ORDINALITY AS listed(key_id, place)
      -- All keys lie between these. PostgreSQL takes them for a few then, and has them in its table of hashes, so that the keys
      -- are read and written in the order in which they stand on disk.
      WHERE chunk.is_restorable AND listed.key_id ${isGiven}
    ), target AS (
      UPDATE api_key key
      SET ${kept} ${raw((name) => `${name} = given.restored_${name}`, ", ")},
        version = key.version + 1
      FROM given ${was}
      WHERE key.account_id = ${accountId} AND key.id ${isGiven} AND key.id = given.id AND ${Prisma.raw(isKept)}
        AND NOT (${raw((name) => isLimit(name, `given.plain_${name}`), " AND ")})
        AND (${isForced} OR (${raw((name) => isStoredLimit(name, `given.left_${name}`), " AND ")}))
      RETURNING key.id, key.name ${recorded}
    ), ${keysOfLargeEvent(accountId, eventId, { before: names, after: names })}, counted AS (
      SELECT count(*)::int AS updated FROM target
    )
    SELECT updated,
      CASE WHEN updated < (SELECT sum(cardinality(key_ids)) FROM chunk) THEN
        ARRAY(SELECT key_id FROM chunk CROSS JOIN LATERAL unnest(key_ids) AS one(key_id) EXCEPT SELECT id FROM target)
        ELSE '{}' END AS left,
      (SELECT max(first_key_id) FROM chunk) AS last
    FROM counted`;
  return part ?? { updated: 0, left: [], last: null };
}
