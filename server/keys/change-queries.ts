import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { countKeys } from "../groups/count-queries";
import type { Actor } from "../history/actor";
import { afterColumns, beforeColumns } from "../history/key-values";
import { type AnsweredRequest, keysEventExpressions, manyKeysEventExpressions } from "../history/recording";
import type { Outcome } from "../outcome";
import { beside, changeAlone, LargeChangeUnderWay } from "./change-order-queries";
import { type KeyChange, reasonToFail } from "./key-change";
import type { NamedRequest } from "./repeated-request-queries";
import type { FailedKey, Key } from "./schema";
import { isInGroup, isOneOf, keyRelations, keySelection } from "./selection";
import { isKept, isRevoked } from "./state";

/** What came of a change of one key: the key as it is after it. */
export type ChangeOutcome = Outcome<{ key: Key }, Failure>;

/**
 * Changes one key that is not revoked, with its event, in one statement. Fails when there is no such key, when it is a
 * default key that cannot be changed so, and when it has another version than the one that is given.
 * @throws {LargeChangeUnderWay}
 */
export async function changeKey(
  db: Transaction,
  accountId: AccountId,
  actor: Actor,
  target: { apikeyId: string; version: number | undefined },
  change: KeyChange,
): Promise<ChangeOutcome> {
  const { apikeyId, version } = target;
  const where = Prisma.sql`${version === undefined ? Prisma.empty : Prisma.sql`AND key.version - ${isUnrecorded(accountId)}::int = ${version}::bigint`}
    ${change.refusedForDefault === undefined ? Prisma.empty : Prisma.sql`AND NOT key.is_default`}
    ${change.waits ? Prisma.sql`AND NOT ${isUnrecorded(accountId)}` : Prisma.empty}`;
  for (;;) {
    const [key] = await db.$queryRaw<Key[]>`
      ${changingOne(accountId, actor, apikeyId, where, change)}
      SELECT ${keySelection(accountId)} FROM (SELECT * FROM changed LIMIT 1) key ${keyRelations(accountId)}`;
    if (key) return { ok: true, key };
    if (change.waits && (await isChangedLargely(db, accountId, [apikeyId]))) throw new LargeChangeUnderWay();
    const outcome = await unchanged(db, accountId, target, change);
    if (outcome) return outcome;
  }
}

/**
 * Whether a large change of the key has written no event yet. In a statement that waited for the lock of the key, this is
 * true rather than out of date: what began before the change does not see its event.
 */
function isUnrecorded(accountId: AccountId): Prisma.Sql {
  return Prisma.sql`(key.limit_change_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM event WHERE event.account_id = ${accountId} AND event.id = key.limit_change_id))`;
}

/** Whether a large change of one of these keys is under way. */
export async function isChangedLargely(
  db: Transaction,
  accountId: AccountId,
  ids: readonly string[],
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT FROM api_key key
    WHERE account_id = ${accountId} AND id = ANY(${ids}) AND ${isUnrecorded(accountId)} LIMIT 1`;
  return rows.length > 0;
}

/**
 * What came of a change that found nothing to change. Undefined: by now there is something, because what was in the way, a
 * large change or another one, has ended since.
 */
async function unchanged(
  db: Transaction,
  accountId: AccountId,
  { apikeyId, version }: { apikeyId: string; version: number | undefined },
  { refusedForDefault, unlessDone }: KeyChange,
): Promise<ChangeOutcome | undefined> {
  const isDone = unlessDone === undefined ? Prisma.sql`false` : Prisma.sql`(${unlessDone}) IS NOT TRUE`;
  const [found] = await db.$queryRaw<(Key & { is_done: boolean })[]>`
    SELECT ${keySelection(accountId)}, ${isDone} AS is_done FROM api_key key ${keyRelations(accountId)}
    WHERE key.account_id = ${accountId} AND key.id = ${apikeyId} AND ${Prisma.raw(isKept)}`;
  if (!found) return { ok: false, reason: errors.noSuchKey() };
  const { is_done, ...key } = found;
  if (key.is_default && refusedForDefault !== undefined) return { ok: false, reason: refusedForDefault };
  if (version !== undefined && key.version !== version) return { ok: false, reason: errors.keyChangedMeanwhile() };
  return is_done ? { ok: true, key } : undefined;
}

/**
 * Changes every key of a group that is not revoked, with one event, all or none; returns how many are as asked for then.
 *
 * No other change of keys of the account runs meanwhile, so the values before can be read without locking each key first,
 * which would take half as long again as the change itself. See docs/decisions/large-changes.md.
 * @param request the request for it, where it has a name.
 * @throws {LargeChangeUnderWay}
 */
export async function changeKeysOfGroup(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  groupId: string,
  change: KeyChange,
  request?: NamedRequest,
): Promise<number> {
  await changeAlone(transaction, accountId);
  const which = isInGroup(accountId, groupId);
  const updated = await countAsAskedFor(transaction, accountId, groupId, change);
  const answered = request && { ...request, updated, next: null };
  const changed = await changeMany(transaction, accountId, actor, which, { ...change, groupId }, answered);
  return updated ?? changed;
}

/** How many keys of a group are as a change wants them after it. Null: as many as it changes. */
export async function countAsAskedFor(
  db: Transaction,
  accountId: AccountId,
  groupId: string,
  { unlessDone }: KeyChange,
): Promise<number | null> {
  return unlessDone === undefined ? null : countKeys(db, accountId, groupId);
}

/**
 * Changes the keys of a list as far as that is possible, with one event. Names the keys that failed, with the reason.
 * @param request the request for it, where it has a name.
 * @throws {LargeChangeUnderWay}
 */
export async function changeKeysOfList(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  apikeyIds: readonly string[],
  change: KeyChange,
  request?: NamedRequest,
): Promise<{ updated: number; failed: FailedKey[] }> {
  const wanted = [...new Set(apikeyIds)];
  // Before the keys are locked: a change of a group must not wait for one of them while this waits for the group's.
  await transaction.$executeRaw`SELECT FROM ${beside(accountId)}`;
  if (change.waits && (await isChangedLargely(transaction, accountId, wanted))) throw new LargeChangeUnderWay();
  const failed = await failures(transaction, accountId, wanted, change, Prisma.sql`ORDER BY id FOR NO KEY UPDATE`);
  const failing = new Set(failed.map(({ apikey_id }) => apikey_id));
  const able = wanted.filter((id) => !failing.has(id));
  if (able.length > 0) {
    const which = isOneOf(accountId, able);
    const answered = request && { ...request, updated: able.length, next: null };
    await changeMany(transaction, accountId, actor, which, change, answered);
  }
  return { updated: able.length, failed };
}

/** The keys of a list that a change could not be done to, each with its reason, in the order of the list. */
export function failuresOf(
  db: Transaction,
  accountId: AccountId,
  apikeyIds: readonly string[],
  change: KeyChange,
): Promise<FailedKey[]> {
  return failures(db, accountId, [...new Set(apikeyIds)], change, Prisma.empty);
}

async function failures(
  db: Transaction,
  accountId: AccountId,
  wanted: readonly string[],
  change: KeyChange,
  locking: Prisma.Sql,
): Promise<FailedKey[]> {
  const held = await db.$queryRaw<{ id: string; name: string; is_default: boolean; revoked: boolean }[]>`
    SELECT id, name, is_default, ${Prisma.raw(isRevoked)} AS revoked FROM api_key key
    WHERE account_id = ${accountId} AND id = ANY(${wanted}) ${locking}`;
  const found = new Map(held.map((key) => [key.id, key]));
  return wanted.flatMap((id): FailedKey[] => {
    const key = found.get(id);
    const failure = reasonToFail(key, change);
    if (failure === undefined) return [];
    const { reason: error, code, values } = failure;
    return [{ apikey_id: id, name: key?.name ?? null, error, code, values }];
  });
}

/**
 * Changes keys that no other transaction changes meanwhile, with one event, and returns how many there were. `target` and
 * the update each find the keys by the same conditions. With a join of the two, PostgreSQL compared all keys with all as
 * long as its statistics were those of a smaller table: 12 million rows for a list of 1,000 keys among 6,000.
 * @param which the condition of the rows `key`, with their account.
 */
export async function changeMany(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  which: Prisma.Sql,
  { action, set, before = {}, after = {}, afterEach = {}, unlessDone, groupId }: KeyChange,
  request?: AnsweredRequest,
): Promise<number> {
  const keys = Prisma.sql`${which} AND ${Prisma.raw(isKept)} ${unlessDone === undefined ? Prisma.empty : Prisma.sql`AND ${unlessDone}`}`;
  const fields = { before: Object.keys(before), after: Object.keys(afterEach) };
  const event = manyKeysEventExpressions(accountId, actor, { request, action, groupId, after }, fields);
  const rows = await transaction.$queryRaw<{ count: number }[]>`WITH target AS NOT MATERIALIZED (
      SELECT key.id, key.name ${beforeColumns(before)} ${afterColumns(afterEach)} FROM api_key key WHERE ${keys}
    ), changed AS (
      UPDATE api_key key SET ${Prisma.join(set)}, version = key.version + 1 WHERE ${keys}
    ), ${event}
    SELECT keys::int AS count FROM counted`;
  return rows[0]?.count ?? 0;
}

/**
 * The statement of a change of one key, up to what it answers from `changed`: locks the key, notes its values, writes the
 * new ones, and writes the event, all or nothing. The update names the whole primary key itself, so that PostgreSQL looks
 * the key up, whatever its statistics say.
 * @param where more conditions of the key, each after AND.
 */
function changingOne(
  accountId: AccountId,
  actor: Actor,
  apikeyId: string,
  where: Prisma.Sql,
  { action, set, before = {}, after = {}, unlessDone, groupId }: KeyChange,
): Prisma.Sql {
  const pairs = Object.entries(before).map(([field, value]) => Prisma.sql`${Prisma.raw(`'${field}'`)}, ${value}`);
  return Prisma.sql`WITH turn AS MATERIALIZED (SELECT 1 AS own FROM ${beside(accountId)}), target AS MATERIALIZED (
      SELECT key.id, key.name, jsonb_build_object(${pairs.length === 0 ? Prisma.empty : Prisma.join(pairs)}) AS before
      FROM api_key key
      WHERE key.account_id = ${accountId} AND key.id = ${apikeyId} AND ${Prisma.raw(isKept)} ${where}
        AND EXISTS (SELECT FROM turn)
        ${unlessDone === undefined ? Prisma.empty : Prisma.sql`AND ${unlessDone}`}
      FOR NO KEY UPDATE OF key
    ), changed AS (
      UPDATE api_key key SET ${Prisma.join(set)}, version = key.version + 1 FROM target
      WHERE key.account_id = ${accountId} AND key.id = ${apikeyId} RETURNING key.*
    ), ${keysEventExpressions(accountId, actor, { action, groupId, after })}`;
}
