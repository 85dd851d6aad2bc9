import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { accountRow } from "../db/account-row";
import type { Database, Transaction } from "../db/client";
import { readLarge } from "../db/large-read";
import { contains, isText } from "../db/search";
import { run } from "../db/statement";
import { isUniqueViolation } from "../db/unique-violation";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import type { Page } from "../input/page";
import { isInGroup } from "../keys/selection";
import { differsFrom, isRevoked, windows } from "../keys/state";
import { currentLimit, defaultAssignments, defaultColumn, plainLimit } from "../limits/columns";
import { LIMIT_NAMES, type LimitName, type Limits } from "../limits/schema";
import type { Outcome } from "../outcome";
import { countKeys, keyCountOf } from "./count-queries";
import type { Group, GroupName, GroupSort, GroupWithLimits } from "./schema";
import { LIST_GROUPS } from "./statements/list-groups";

/** Inserts a group with its event. A constraint of the database decides whether the name is free in the account. */
export async function insertGroup(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  group: { id: string; name: string; description: string },
): Promise<Outcome<object, Failure>> {
  const { id, name, description } = group;
  const after = { name, ...(description !== "" && { description }) };
  return unlessNameTaken(
    db.prisma.$transaction([
      db.prisma.apiKeyGroup.create({ data: { accountId, ...group }, select: { id: true } }),
      recordEvent(db.prisma, accountId, actor, { action: "group.created", group: { id, name }, after }),
    ]),
  );
}

/** Every group of the account, newest first. A prepared statement, because programs poll it. */
export function listGroups({ listPool }: Database, accountId: AccountId): Promise<Group[]> {
  return run(listPool, LIST_GROUPS, [accountId]);
}

/** Which groups are listed, in which order. */
export interface GroupSearch {
  /** A part of the name, in any letter case. */
  search: string | undefined;
  sort: GroupSort;
  order: "asc" | "desc";
}

/** A page of the account's groups, each with the limits that its keys share, and how many groups match in all. */
export async function searchGroups(
  db: Database,
  accountId: AccountId,
  { search = "", sort, order }: GroupSearch,
  { page, pageSize }: Page,
): Promise<{ data: GroupWithLimits[]; total: number }> {
  const where = Prisma.sql`api_key_group.account_id = ${accountId}
    AND ${contains(Prisma.sql`api_key_group.search_text`, search)}`;
  const direction = Prisma.raw(order);
  // The names of columns are those of GROUP_SORTS, and never what a request sent.
  const shown = Prisma.sql`SELECT *, ${keyCountOf(accountId, Prisma.sql`id`)} AS apikey_count
    FROM api_key_group WHERE ${where}
    ORDER BY ${Prisma.raw(sort)} ${direction}, id ${direction} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;
  const [counted, data] = await Promise.all([
    db.prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM api_key_group WHERE ${where}`,
    readLarge(
      db,
      db.prisma.$queryRaw<GroupWithLimits[]>`
        SELECT ${groupSelection} FROM (${shown}) AS shown ${sharedLimits(accountId)}
        ORDER BY shown.${Prisma.raw(sort)} ${direction}, shown.id ${direction}`,
    ),
  ]);
  return { data, total: counted[0]?.total ?? 0 };
}

/**
 * Groups by name, in the order of their names, in any letter case. The one whose whole name is searched for is the first: of
 * many groups it could not be chosen otherwise.
 * @param ids only these groups, if given.
 */
export async function findGroupNames(
  db: Database,
  accountId: AccountId,
  { search = "", ids, count }: { search: string | undefined; ids: string[] | undefined; count: number },
): Promise<{ data: GroupName[]; hasMore: boolean }> {
  const chosen = ids === undefined ? Prisma.empty : Prisma.sql`AND id = ANY (${ids})`;
  const text = Prisma.sql`search_text`;
  const wholeFirst = search === "" ? Prisma.empty : Prisma.sql`${isText(text, search)} DESC,`;
  const rows = await db.prisma.$queryRaw<GroupName[]>`SELECT id, name FROM api_key_group
    WHERE account_id = ${accountId} ${chosen} AND ${contains(text, search)}
    ORDER BY ${wholeFirst} ${text}, id LIMIT ${count + 1}`;
  return { data: rows.slice(0, count), hasMore: rows.length > count };
}

/** One group of the account, with the limits that its keys share. */
export async function findGroup(
  { prisma }: { prisma: Transaction },
  accountId: AccountId,
  groupId: string,
): Promise<GroupWithLimits | undefined> {
  const rows = await prisma.$queryRaw<GroupWithLimits[]>`SELECT ${groupSelection}
    FROM api_key_group AS shown ${sharedLimits(accountId)} WHERE shown.account_id = ${accountId} AND shown.id = ${groupId}`;
  return rows[0];
}

const isCounted = Prisma.raw(`NOT ${isRevoked}`);

const groupSelection = Prisma.sql`shown.id, shown.name, shown.description,
  floor(extract(epoch FROM shown.created_at))::float8 AS created_at,
  floor(extract(epoch FROM shown.updated_at))::float8 AS updated_at,
  limits.apikey_count, limits.shared_limits, limits.differing_limits, limits.spent_this_month,
  ${defaultsOf("shown")} AS defaults, shown.apply_defaults, limits.differing_key_count`;

/** The limits that new keys of a group start with, as plain JSON. `group` is the name of its row. */
function defaultsOf(group: string): Prisma.Sql {
  const pairs = LIMIT_NAMES.map((name) => `'${name}', ${plainLimit(name, `${group}.${defaultColumn(name)}`)}`);
  return Prisma.raw(`jsonb_build_object(${pairs.join(", ")})`);
}

/** Whether a row `key` is in the group `shown`. */
const isOfShown = (accountId: AccountId) => isInGroup(accountId, Prisma.sql`shown.id`);

/**
 * Joins to each group `shown` the limits of its keys: a value that all keys share, or the name of a limit that differs; and
 * what its keys spent, the revoked ones too. The keys of the group are read once. Each is compared with one of them, which
 * costs a third of a minimum, a maximum and a count of each limit.
 */
const sharedLimits = (accountId: AccountId) => Prisma.sql`LEFT JOIN LATERAL (
    SELECT ${Prisma.join(LIMIT_NAMES.map((name) => Prisma.raw(`${currentLimit(name)} AS ${name}`)))}
    FROM api_key key CROSS JOIN ${accountRow(accountId)}
    WHERE ${isOfShown(accountId)} AND NOT ${Prisma.raw(isRevoked)} LIMIT 1
  ) AS one ON true
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE ${isCounted})::int AS apikey_count,
      coalesce(sum(CASE WHEN key.month_spent > 0 THEN ${Prisma.raw(windows.monthly_limit.spent)} END), 0)::float8
        AS spent_this_month,
      count(*) FILTER (WHERE ${isCounted} AND ${Prisma.raw(differsFrom("shown"))})::int AS differing_key_count,
      jsonb_build_object(${Prisma.join(
        LIMIT_NAMES.map((name) => Prisma.sql`${text(name)}, CASE WHEN ${isShared(name)} THEN ${valueOfOne(name)} END`),
      )}) AS shared_limits,
      array_remove(ARRAY[${Prisma.join(
        LIMIT_NAMES.map((name) => Prisma.sql`CASE WHEN NOT ${isShared(name)} THEN ${text(name)} END`),
      )}], NULL) AS differing_limits
    FROM api_key key CROSS JOIN ${accountRow(accountId)}
    WHERE ${isOfShown(accountId)}
  ) AS limits`;

function isShared(name: LimitName): Prisma.Sql {
  const isSame = Prisma.raw(`${currentLimit(name)} IS NOT DISTINCT FROM one.${name}`);
  return Prisma.sql`coalesce(bool_and(${isSame}) FILTER (WHERE ${isCounted}), true)`;
}

function valueOfOne(name: LimitName): Prisma.Sql {
  return Prisma.raw(`to_jsonb(${plainLimit(name, `one.${name}`)})`);
}

function text(name: LimitName): Prisma.Sql {
  return Prisma.raw(`'${name}'`);
}

/** Locks a group against its deletion until the transaction ends. `undefined` when the account has no such group. */
export async function lockGroup(
  transaction: Transaction,
  accountId: AccountId,
  groupId: string,
): Promise<{ id: string; name: string } | undefined> {
  const rows = await transaction.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, name FROM api_key_group WHERE account_id = ${accountId} AND id = ${groupId} FOR KEY SHARE`;
  return rows[0];
}

/** Which of these groups the account has. */
export async function findGroupIds(
  { prisma }: Pick<Database, "prisma">,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM api_key_group WHERE account_id = ${accountId} AND id = ANY(${ids})`;
  return new Set(rows.map(({ id }) => id));
}

/** What of a group changes. An absent field stays, and so does an absent default; `null` removes a default. */
export interface GroupChange {
  name?: string | undefined;
  description?: string | undefined;
  defaults?: Partial<Limits> | undefined;
  applyDefaults?: boolean | undefined;
}

/** What of a group can change, by the names of its columns, as the history has it. */
export type GroupFields = { name: string; description: string; apply_defaults: boolean } & {
  [Name in LimitName as `default_${Name}`]: Limits[Name];
};

/**
 * Locks groups, found by their ids or their names, against their deletion until the transaction ends. Those that do not
 * exist are left out.
 */
export function lockGroups(
  transaction: Transaction,
  accountId: AccountId,
  { ids, names }: { ids: readonly string[]; names: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  return transaction.$queryRaw`SELECT id, name FROM api_key_group
    WHERE account_id = ${accountId} AND (id = ANY(${ids}) OR name = ANY(${names})) ORDER BY id FOR KEY SHARE`;
}

/** Locks a group until the transaction ends, to change it. `undefined` when the account has no such group. */
export async function lockGroupToChange(
  transaction: Transaction,
  accountId: AccountId,
  groupId: string,
): Promise<({ id: string } & GroupFields) | undefined> {
  const [group] = await transaction.$queryRaw<({ id: string } & GroupFields)[]>`
    SELECT id, ${groupFields} FROM api_key_group
    WHERE account_id = ${accountId} AND id = ${groupId} FOR NO KEY UPDATE`;
  return group;
}

/**
 * Changes a locked group, with its event. An absent field stays, and the event leaves out what stays.
 * @param reverts the event that this change undoes.
 * @returns the id of the event; undefined when nothing changes.
 */
export async function writeGroup(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  group: { id: string } & GroupFields,
  sent: Partial<GroupFields>,
  reverts?: string,
): Promise<string | undefined> {
  const changed = (Object.keys(sent) as (keyof GroupFields)[]).filter((field) => sent[field] !== group[field]);
  if (changed.length === 0) return undefined;
  const { name, description, apply_defaults: applyDefaults } = sent;
  await transaction.apiKeyGroup.update({
    where: { accountId_id: { accountId, id: group.id } },
    // Prisma leaves a field out that is undefined.
    data: { name, description, applyDefaults } as Prisma.ApiKeyGroupUpdateInput,
    select: { id: true },
  });
  const defaults = LIMIT_NAMES.filter((each) => changed.includes(defaultColumn(each)));
  const values = Object.fromEntries(defaults.map((each) => [each, sent[defaultColumn(each)]]));
  // The clock of this process may be wrong.
  const set = [Prisma.sql`updated_at = now()`, ...defaultAssignments(values)];
  await transaction.$executeRaw`UPDATE api_key_group SET ${Prisma.join(set)}
    WHERE account_id = ${accountId} AND id = ${group.id}`;
  const { id } = await recordEvent(transaction, accountId, actor, {
    action: "group.changed",
    group: { id: group.id, name: name ?? group.name },
    before: Object.fromEntries(changed.map((field) => [field, group[field]])),
    after: Object.fromEntries(changed.map((field) => [field, sent[field] ?? null])),
    ...(reverts !== undefined && { reverts }),
  });
  return id;
}

/**
 * Changes a group, with its event, and returns it as it is then. Fields that stay as they are, are left out of the event.
 * @param before what the change is based on. Nothing is changed where one of these fields was changed by somebody else.
 */
export async function updateGroup(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  groupId: string,
  change: GroupChange,
  before: GroupChange,
): Promise<Outcome<{ group: GroupWithLimits }, Failure>> {
  const sent = fieldsOf(change);
  let refusal: Failure = errors.noSuchGroup();
  let changed: GroupWithLimits | undefined;
  const outcome = await unlessNameTaken(
    db.prisma.$transaction(async (transaction) => {
      const group = await lockGroupToChange(transaction, accountId, groupId);
      if (!group) return;
      if (isChangedMeanwhile(group, sent, fieldsOf(before))) {
        refusal = errors.groupChangedMeanwhile();
        return;
      }
      await writeGroup(transaction, accountId, actor, group, sent);
      // As long as it is locked: after that, another change or its deletion may be there already.
      changed = await findGroup({ prisma: transaction }, accountId, groupId);
    }),
  );
  if (!outcome.ok) return outcome;
  return changed ? { ok: true, group: changed } : { ok: false, reason: refusal };
}

/** Whether a field was changed since it was read. One that has the new value already may be from a request whose answer was lost. */
function isChangedMeanwhile(group: GroupFields, sent: Partial<GroupFields>, before: Partial<GroupFields>): boolean {
  return (Object.keys(sent) as (keyof GroupFields)[]).some(
    (field) => field in before && group[field] !== before[field] && group[field] !== sent[field],
  );
}

const groupFields = Prisma.raw(
  [
    "name",
    "description",
    "apply_defaults",
    ...LIMIT_NAMES.map((name) => {
      const column = defaultColumn(name);
      return `${plainLimit(name, column)} AS ${column}`;
    }),
  ].join(", "),
);

function fieldsOf({ name, description, applyDefaults, defaults = {} }: GroupChange): Partial<GroupFields> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(applyDefaults !== undefined && { apply_defaults: applyDefaults }),
    ...Object.fromEntries(
      LIMIT_NAMES.filter((each) => defaults[each] !== undefined).map((each) => [defaultColumn(each), defaults[each]]),
    ),
  };
}

interface GroupToDelete {
  id: string;
  name: string;
  /** What the history keeps of it: name, description, and the defaults that it has. */
  before: Prisma.InputJsonObject;
  /** How many of its keys are not revoked. */
  keyCount: number;
}

/** Locks a group for its deletion, and counts its keys that are not revoked. `undefined` when there is no such group. */
export async function lockGroupToDelete(
  transaction: Transaction,
  accountId: AccountId,
  groupId: string,
): Promise<GroupToDelete | undefined> {
  const [group] = await transaction.$queryRaw<({ id: string } & GroupFields)[]>`
    SELECT id, ${groupFields}
    FROM api_key_group WHERE account_id = ${accountId} AND id = ${groupId} FOR UPDATE`;
  if (!group) return undefined;
  const keyCount = await countKeys(transaction, accountId, groupId);
  const { id, name, description, ...rest } = group;
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== false));
  return { id, name, before: { name, description, ...set }, keyCount };
}

/** Deletes a locked group that has no keys, except revoked ones, with its event. */
export async function deleteGroup(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  { id, name, before }: GroupToDelete,
): Promise<void> {
  // Behind the events of its keys. On several servers, the rows of the account are on one whose clock is not that of the server
  // which is asked.
  const [now] = await transaction.$queryRaw<{ at: Date }[]>`
    SELECT clock_timestamp()::timestamptz(3) AS at FROM api_key_group WHERE account_id = ${accountId} AND id = ${id}`;
  await transaction.$executeRaw`
    UPDATE api_key key SET group_id = NULL WHERE ${isInGroup(accountId, id)}`;
  await transaction.apiKeyGroup.delete({ where: { accountId_id: { accountId, id } }, select: { id: true } });
  const event = { action: "group.deleted", ...now, group: { id, name }, before } as const;
  await recordEvent(transaction, accountId, actor, event);
}

/** What came of a change of a name that another group of the account may have. */
export async function unlessNameTaken(write: Promise<unknown>): Promise<Outcome<object, Failure>> {
  try {
    await write;
    return { ok: true };
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: errors.groupNameTaken() };
    throw error;
  }
}
