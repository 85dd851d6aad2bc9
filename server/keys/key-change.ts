import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Action } from "../history/action";
import type { LimitChanges } from "../limits/apply";
import { isOtherThan, limitAssignments, limitsAfter, limitsBefore } from "../limits/columns";
import { isRelative } from "../limits/relative";
import { isDisabled } from "./state";

// What can be done to keys. `change-queries.ts` writes it.

/** One change of any number of keys, and what the history says of it. */
export interface KeyChange {
  action: Action;
  /** Assignments to columns of a key. */
  set: Prisma.Sql[];
  /** The values before, by field: expressions of the rows called `key`. */
  before?: Record<string, Prisma.Sql>;
  /** The values after. */
  after?: Prisma.InputJsonObject;
  /** The values after that differ from key to key, by field: expressions of the rows called `key` before the change. */
  afterEach?: Record<string, Prisma.Sql>;
  /** Only keys for which this is true are changed. The others are as the change would leave them. */
  unlessDone?: Prisma.Sql;
  /** Whether it waits for a large change of the same keys. See `afterLargeChange`. */
  waits?: true;
  /** Whether keys that work now are refused after it. */
  stops?: true;
  /** Why the default key of an account cannot be changed so. Absent: it can. */
  refusedForDefault?: Failure;
  /** The group that the event names. */
  groupId?: string;
}

/**
 * Writes limits of many keys. Where a limit changes from what it is, a key of which none would change stays as it is, and the
 * history does not name it.
 */
export function limitsChangeOfMany(changes: LimitChanges): KeyChange {
  const isAnyRelative = Object.values(changes).some(isRelative);
  return { ...limitsChange(changes), ...(isAnyRelative && { unlessDone: isOtherThan(changes) }) };
}

/** Writes limits: amounts in yuan, prices in yuan per million tokens. */
export function limitsChange(changes: LimitChanges): KeyChange {
  return {
    action: "key.limits_set",
    set: limitAssignments(changes),
    before: limitsBefore(changes),
    after: { ...changes },
    afterEach: limitsAfter(changes, (name) => `key.${name}`),
    waits: true,
  };
}

/** Gives keys another name. A key that has it stays as it is. */
export function renaming(name: string): KeyChange {
  return {
    action: "key.renamed",
    set: [Prisma.sql`name = ${name}`],
    before: { name: Prisma.sql`key.name` },
    after: { name },
    unlessDone: Prisma.sql`key.name <> ${name}`,
  };
}

/** Moves keys to a group that the transaction has locked, or to none. */
export function moving(accountId: AccountId, group: { id: string; name: string } | null): KeyChange {
  return {
    action: "key.moved",
    set: [Prisma.sql`group_id = ${group?.id ?? null}`],
    before: {
      group: Prisma.sql`(SELECT name FROM api_key_group
        WHERE api_key_group.account_id = ${accountId} AND api_key_group.id = key.group_id)`,
      group_id: Prisma.sql`key.group_id`,
    },
    after: { group: group?.name ?? null, group_id: group?.id ?? null },
    waits: true,
    unlessDone: Prisma.sql`key.group_id IS DISTINCT FROM ${group?.id ?? null}`,
    ...(group && { groupId: group.id, refusedForDefault: errors.defaultKeyHasNoGroup() }),
  };
}

/** Refuses a key until it is enabled again. */
export const disabling: KeyChange = {
  action: "key.disabled",
  set: [Prisma.sql`disabled_at = now()`],
  unlessDone: Prisma.sql`NOT ${Prisma.raw(isDisabled)}`,
  stops: true,
  refusedForDefault: errors.defaultKeyNotDisabled(),
};

/** Lets a disabled key be used again. */
export const enabling: KeyChange = {
  action: "key.enabled",
  set: [Prisma.sql`disabled_at = NULL`],
  unlessDone: Prisma.raw(isDisabled),
};

/** Refuses a key for good. */
export const revoking: KeyChange = {
  action: "key.revoked",
  set: [Prisma.sql`revoked_at = now()`],
  stops: true,
  refusedForDefault: errors.defaultKeyNotRevoked(),
};

/** Why a change cannot be done to a key; undefined: it can. */
export function reasonToFail(
  key: { is_default: boolean; revoked: boolean } | undefined,
  { refusedForDefault }: KeyChange,
): Failure | undefined {
  if (!key) return errors.noSuchKey();
  if (key.revoked) return errors.keyRevoked();
  return key.is_default ? refusedForDefault : undefined;
}
