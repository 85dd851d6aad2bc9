import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import type { Actor } from "../history/actor";
import { type RecordedKey, recordDifferingChunks, sharedValues, type Values } from "../history/recording";
import { keptLimits, limitOfText, limitSelection } from "../limits/columns";
import { type LIMIT_NAMES, type Limits, WINDOWS, type Window } from "../limits/schema";
import { measureLargeChange } from "../metrics/large-changes";
import { beside, LargeChangeUnderWay } from "./change-order-queries";
import { isChangedLargely } from "./change-queries";
import { completeLargeChange, inLease, openLargeChange } from "./large-change-parts";
import { undoLargeChange } from "./large-change-queries";
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
      ${isOfStatus("active")} AS is_active, jsonb_build_object(${Prisma.join(used)}) AS used,
      ${Prisma.raw(currentDay)}::text AS today
    FROM api_key key ${keyRelations(accountId)} WHERE key.account_id = ${accountId} AND key.id = ANY(${ids})`;
  return new Map(keys.map((key) => [key.id, key]));
}

/**
 * Locks keys in the order of their ids until the transaction ends. Their limits are read in a statement after this one.
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
  /** What is written. */
  restored: Values;
}

/** Writes values of keys that are locked. Each key has its own. */
export async function restoreKeys(
  transaction: Transaction,
  accountId: AccountId,
  keys: readonly RestoredKey[],
  fields: readonly RestoredField[],
): Promise<void> {
  await writeValues(transaction, accountId, keys, fields, Prisma.empty);
}

/**
 * The keys are found by their ids alone, and each looks its values up in one object. A join with a list of values would
 * leave to PostgreSQL's statistics whether each key is compared with all values.
 */
async function writeValues(
  transaction: Transaction,
  accountId: AccountId,
  keys: readonly RestoredKey[],
  fields: readonly RestoredField[],
  kept: Prisma.Sql,
): Promise<void> {
  const values = Object.fromEntries(keys.map(({ id, restored }) => [id, restored]));
  const set = fields.map((field) => {
    const value = `((SELECT of_key FROM given) -> key.id ->> '${field}')`;
    if (field === "disabled")
      return `disabled_at = CASE WHEN ${value}::boolean THEN coalesce(disabled_at, (SELECT now FROM given)) END`;
    return `${field} = ${field === "name" || field === "group_id" ? value : limitOfText(field, value)}`;
  });
  await transaction.$executeRaw`WITH given AS MATERIALIZED (SELECT ${JSON.stringify(values)}::jsonb AS of_key, now() AS now)
    UPDATE api_key key SET ${kept} ${Prisma.raw(set.join(", "))}, version = key.version + 1
    WHERE key.account_id = ${accountId} AND key.id = ANY(${keys.map(({ id }) => id)}) AND ${Prisma.raw(isKept)}`;
}

/** A part of a large change: which keys get which limits. It is asked when nobody else changes keys of the account. */
export type LargePart = (transaction: Transaction) => Promise<readonly RestoredKey[]>;

/**
 * Writes limits of so many keys that authorizations go on meanwhile, in parts that hold all at once
 * (docs/decisions/large-changes.md), with one event. Returns its id; undefined when there was no key.
 * @throws {LargeChangeUnderWay}
 */
export async function restoreLargely(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  { fields, groupId, reverts }: { fields: readonly RestoredField[]; groupId: string | undefined; reverts: string },
  parts: readonly LargePart[],
  keyCount: number,
): Promise<string | undefined> {
  const lease = await openLargeChange(db, accountId, keyCount);
  if (!lease) return undefined;
  const { eventId } = lease;
  return measureLargeChange(async () => {
    try {
      let shared: Values | undefined;
      for (const part of parts) {
        const keys = await inLease(db, lease, async (transaction) => {
          const keys = await part(transaction);
          if (keys.length === 0) return keys;
          const kept = Prisma.sql`${keptLimits}, limit_change_id = ${eventId},`;
          await writeValues(transaction, accountId, keys, fields, kept);
          await recordDifferingChunks(transaction, accountId, eventId, keys);
          return keys;
        });
        const afters = keys.map(({ after }) => after);
        if (afters.length > 0) shared = sharedValues(shared === undefined ? afters : [shared, ...afters]);
      }
      if (shared === undefined) {
        await undoLargeChange(db, lease);
        return undefined;
      }
      await completeLargeChange(db, lease, actor, { groupId, after: shared as Prisma.InputJsonObject, reverts });
      return eventId;
    } catch (error) {
      // When this fails too, the upkeep of some process does it.
      await undoLargeChange(db, lease).catch(() => {});
      throw error;
    }
  });
}
