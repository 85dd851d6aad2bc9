import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { accountRow } from "../db/account-row";
import type { Database, Transaction } from "../db/client";
import { allowLargeRead } from "../db/large-read";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { LimitChanges } from "../limits/apply";
import { currentLimit, limitAfter, plainLimit } from "../limits/columns";
import { BLOCKED_SHOWN, type PreviewOfLimits, VALUES_SHOWN } from "../limits/preview";
import { isRelative } from "../limits/relative";
import { type Ceiling, isPrice, LIMIT_NAMES, type LimitName, WINDOWS } from "../limits/schema";
import { unitsOrNull } from "../limits/units";
import type { Catalogues } from "../prices/catalogues";
import { changeOfCeilings, type KeysWithCeilings } from "../prices/ceiling-change";
import { type FilteredKeys, type LeftOut, matchesFilter } from "./filter-change-queries";
import type { KeyChange } from "./key-change";
import type { PreviewOfAction } from "./schema";
import { isInGroup, isOfStatus, isOneOf, usedOf } from "./selection";
import { currentDay, isRevoked } from "./state";

/** The keys that a preview is about. */
export type PreviewTarget = { groupId: string } | { apikeyIds: readonly string[] } | FilteredKeys;

/** `FROM … WHERE …` of the keys that are not revoked. */
function keysOfTarget(accountId: AccountId, target: PreviewTarget): Prisma.Sql {
  const kept = Prisma.sql`FROM api_key key CROSS JOIN ${accountRow(accountId)} WHERE NOT ${Prisma.raw(isRevoked)}`;
  if ("filter" in target) return Prisma.sql`${kept} AND ${matchesFilter(accountId, target)}`;
  return Prisma.sql`${kept} AND ${
    "groupId" in target ? isInGroup(accountId, target.groupId) : isOneOf(accountId, target.apikeyIds)
  }`;
}

/** What writing these limits to the keys that are not revoked would do. Changes nothing. */
export async function previewLimits(
  { db, catalogues }: { db: Database; catalogues: Catalogues },
  accountId: AccountId,
  target: PreviewTarget,
  changes: LimitChanges,
): Promise<PreviewOfLimits> {
  const keys = keysOfTarget(accountId, target);
  const names = LIMIT_NAMES.filter((name) => changes[name] !== undefined);
  const preview = await atOneMoment(db, async (transaction) => {
    const [counted] = await transaction.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count ${keys}`;
    const described: PreviewOfLimits["changes"] = [];
    for (const name of names) described.push(await previewLimit(transaction, keys, name, changes));
    const blocked = await listBlocked(
      transaction,
      accountId,
      Prisma.sql`${keys} AND ${wouldBlock(accountId, changes)}`,
    );
    const ceilings = names.some(isPrice) ? await listCeilings(transaction, keys, changes) : [];
    return { key_count: counted?.count ?? 0, changes: described, ...blocked, ceilings };
  });
  const { ceilings, ...rest } = preview;
  if (ceilings.length === 0) return rest;
  const catalogue = await catalogues.find(accountId);
  return { ...rest, models: await changeOfCeilings(catalogue.inForce(), ceilings) };
}

/** The price ceilings of the keys, before and after the changes. Keys with the same ones are counted together. */
async function listCeilings(
  transaction: Transaction,
  keys: Prisma.Sql,
  changes: LimitChanges,
): Promise<KeysWithCeilings[]> {
  const before = (name: Ceiling) => Prisma.sql`NULLIF(${Prisma.raw(currentLimit(name))}, 0)`;
  const after = (name: Ceiling) =>
    changes[name] === undefined
      ? before(name)
      : Prisma.sql`NULLIF(${limitAfter(name, changes, currentLimit(name))}, 0)`;
  const rows = await transaction.$queryRaw<CeilingsRow[]>`
    SELECT ${before("input_price_limit")}::text AS input_before, ${after("input_price_limit")}::text AS input_after,
      ${before("output_price_limit")}::text AS output_before, ${after("output_price_limit")}::text AS output_after,
      count(*)::int AS key_count
    ${keys} GROUP BY 1, 2, 3, 4`;
  return rows.map((row) => ({
    before: { input_price_limit: unitsOrNull(row.input_before), output_price_limit: unitsOrNull(row.output_before) },
    after: { input_price_limit: unitsOrNull(row.input_after), output_price_limit: unitsOrNull(row.output_after) },
    keyCount: row.key_count,
  }));
}

/** Amounts as decimal numbers, `null` where there is no ceiling. */
interface CeilingsRow {
  input_before: string | null;
  input_after: string | null;
  output_before: string | null;
  output_after: string | null;
  key_count: number;
}

/** One state of the database for all the figures, which are shown side by side. */
function atOneMoment<Result>(db: Database, read: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return db.prisma.$transaction(
    async (transaction) => {
      await allowLargeRead(transaction);
      return read(transaction);
    },
    { isolationLevel: "RepeatableRead" },
  );
}

async function previewLimit(
  transaction: Transaction,
  keys: Prisma.Sql,
  name: LimitName,
  changes: LimitChanges,
): Promise<PreviewOfLimits["changes"][number]> {
  const sent = changes[name] ?? null;
  const current = currentLimit(name);
  // Of the values alone, so that the new one is computed once for all keys that have the same.
  const rows = await transaction.$queryRaw<ValueRow[]>`
    WITH held AS (
      SELECT ${Prisma.raw(current)} AS value, count(*) AS key_count
      ${keys} GROUP BY 1
    ), changed AS (SELECT value, key_count, ${limitAfter(name, changes, "value")} AS after FROM held)
    SELECT ${Prisma.raw(plainLimit(name, "value"))} AS value, ${Prisma.raw(plainLimit(name, "after"))} AS after, key_count::int,
      (count(*) OVER ())::int AS distinct_count,
      coalesce(sum(key_count) FILTER (WHERE value IS NULL) OVER (), 0)::int AS unset_count,
      coalesce(sum(key_count) FILTER (WHERE value IS DISTINCT FROM after) OVER (), 0)::int AS changed_count
    FROM changed ORDER BY changed.key_count DESC, changed.value LIMIT ${VALUES_SHOWN}`;
  const isEach = isRelative(sent);
  return {
    parameter: name,
    before: rows.map(({ value, key_count, after }) => ({ value, key_count, ...(isEach && { after }) })),
    distinct_count: rows[0]?.distinct_count ?? 0,
    unset_count: rows[0]?.unset_count ?? 0,
    ...(isEach ? { change: sent } : { after: sent }),
    changed_count: rows[0]?.changed_count ?? 0,
  };
}

interface ValueRow {
  value: number | string | null;
  after: number | string | null;
  key_count: number;
  distinct_count: number;
  unset_count: number;
  changed_count: number;
}

/** The keys that work now and fulfil a condition: how many, and the first by name. */
async function listBlocked(
  transaction: Transaction,
  accountId: AccountId,
  keys: Prisma.Sql,
): Promise<Pick<PreviewOfLimits, "blocked" | "blocked_count">> {
  const blocked = await transaction.$queryRaw<{ apikey_id: string; name: string; count: number }[]>`
    SELECT key.id AS apikey_id, key.name, (count(*) OVER ())::int AS count
    ${keys} AND ${isOfStatus(accountId, "active")} ORDER BY key.name, key.id LIMIT ${BLOCKED_SHOWN}`;
  return {
    blocked_count: blocked[0]?.count ?? 0,
    blocked: blocked.map(({ apikey_id, name }) => ({ apikey_id, name })),
  };
}

/** What an action would do to the keys that are not revoked. Changes nothing. */
export function previewAction(
  db: Database,
  accountId: AccountId,
  target: PreviewTarget,
  { unlessDone = Prisma.sql`true`, refusedForDefault, stops }: KeyChange,
): Promise<PreviewOfAction> {
  const keys = Prisma.sql`${keysOfTarget(accountId, target)} ${
    refusedForDefault === undefined ? Prisma.empty : Prisma.sql`AND NOT key.is_default`
  }`;
  return atOneMoment(db, async (transaction) => {
    const [counted] = await transaction.$queryRaw<ActionRow[]>`
      SELECT count(*)::int AS key_count, (count(*) FILTER (WHERE ${unlessDone}))::int AS changed_count,
        coalesce(sum(key.spent), 0)::float8 AS spent, count(DISTINCT coalesce(key.group_id, ''))::int AS group_count,
        min(key.group_id) AS group_id
      ${keys}`;
    const blocked = stops ? await listBlocked(transaction, accountId, keys) : { blocked_count: 0, blocked: [] };
    const { key_count = 0, changed_count = 0, spent = 0, group_count = 0, group_id = null } = counted ?? {};
    return { key_count, changed_count, ...blocked, spent, ...(group_count === 1 && { shared_group_id: group_id }) };
  });
}

interface ActionRow {
  key_count: number;
  changed_count: number;
  spent: number;
  group_count: number;
  group_id: string | null;
}

/** The keys that match a filter and cannot be changed so, by reason. */
export async function listLeftOut(
  db: Database,
  accountId: AccountId,
  keys: FilteredKeys,
  { refusedForDefault }: KeyChange,
): Promise<LeftOut[]> {
  const [counted] = await db.prisma.$queryRaw<{ revoked: number; is_default: number }[]>`
    SELECT (count(*) FILTER (WHERE ${Prisma.raw(isRevoked)}))::int AS revoked,
      (count(*) FILTER (WHERE key.is_default))::int AS is_default
    FROM api_key key
    WHERE (key.is_default OR ${Prisma.raw(isRevoked)}) AND ${matchesFilter(accountId, keys)}`;
  const found: [Failure | undefined, number][] = [
    [errors.keyRevoked(), counted?.revoked ?? 0],
    [refusedForDefault, counted?.is_default ?? 0],
  ];
  return found.flatMap(([reason, keyCount]) => (reason && keyCount > 0 ? [{ reason, keyCount }] : []));
}

/** Whether a key that works now would be refused from this moment on, whatever it asks for. */
function wouldBlock(accountId: AccountId, changes: LimitChanges): Prisma.Sql {
  const conditions = [Prisma.sql`false`];
  const { expiry_date: expiryDate } = changes;
  if (typeof expiryDate === "string") conditions.push(Prisma.sql`${expiryDate}::date < ${Prisma.raw(currentDay)}`);
  for (const name of WINDOWS) {
    if (!changes[name]) continue;
    const limit = limitAfter(name, changes, currentLimit(name));
    conditions.push(Prisma.sql`${usedOf(accountId, name)} >= NULLIF(${limit}, 0)`);
  }
  return Prisma.sql`(${Prisma.join(conditions, " OR ")})`;
}
