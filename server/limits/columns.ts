import { Prisma } from "@/prisma/generated/client";
import type { LimitChanges } from "./apply";
import { LIMIT_NAMES, type LimitName } from "./schema";

// The column of a limit has the name of the limit. The expressions read a row `key`, and its `account`.

// Limits of many keys are written in parts, and hold for all keys at once: when the account no longer names the change as
// under way. Until then, a key that has its new limits already keeps the ones before. See docs/decisions/large-changes.md.

/** Whether the limits in the columns of the key do not hold yet. */
export const isLimitChangeOpen = "(key.limit_change_id = account.limit_change_id)";

/** A limit that holds now, as it is stored. */
export function currentLimit(name: LimitName): string {
  return `(CASE WHEN ${isLimitChangeOpen} THEN ${keptLimit(name)} ELSE key.${name} END)`;
}

/** A limit as it was before the last large change of the key. */
function keptLimit(name: LimitName): string {
  return `(key.limits_before ->> '${name}')::${columnType(name)}`;
}

/** The column of a group with the limit that its new keys start with. */
export function defaultColumn<Name extends LimitName>(name: Name): `default_${Name}` {
  return `default_${name}`;
}

/** PostgreSQL's name for the type of the column of a limit. */
export function columnType(name: LimitName): "date" | "numeric" {
  return name === "expiry_date" ? "date" : "numeric";
}

/** The six limits of the rows called `key`, as plain JSON: amounts exactly as they were accepted, the date as text. */
export const limitSelection = Prisma.join(
  LIMIT_NAMES.map((name) => Prisma.sql`${currentValue(name)} AS ${column(name)}`),
);

/** Assignments that write limits, for `SET`; an absent limit keeps its value. */
export function limitAssignments(changes: LimitChanges): Prisma.Sql[] {
  return assignments(changes, (name) => name);
}

/** Assignments that write the limits that new keys of a group start with; an absent one keeps its value. */
export function defaultAssignments(changes: LimitChanges): Prisma.Sql[] {
  return assignments(changes, defaultColumn);
}

function assignments(changes: LimitChanges, columnOf: (name: LimitName) => string): Prisma.Sql[] {
  return changedNames(changes).map((name) => {
    const value = changes[name];
    // As text, which PostgreSQL reads exactly. A number could lose its 17th digit on the way.
    const text = typeof value === "number" ? String(value) : value;
    return Prisma.sql`${Prisma.raw(columnOf(name))} = ${text}::${Prisma.raw(columnType(name))}`;
  });
}

/**
 * The limits that these changes write, as they are stored before: expressions by the name of the limit. They need no
 * account: no large change of the key is under way when its limits are written.
 */
export function limitsBefore(changes: LimitChanges): Record<string, Prisma.Sql> {
  return Object.fromEntries(changedNames(changes).map((name) => [name, plain(name, `key.${name}`)]));
}

/** Assignments that keep all limits in `limits_before`. */
export const keptLimits = Prisma.sql`limits_before = jsonb_strip_nulls(jsonb_build_object(${Prisma.join(
  LIMIT_NAMES.map((name) => Prisma.sql`${Prisma.raw(`'${name}'`)}, ${Prisma.raw(`key.${name}`)}`),
)}))`;

/** The limits that `keptLimits` kept and these changes wrote: expressions by the name of the limit. */
export function keptBefore(changes: LimitChanges): Record<string, Prisma.Sql> {
  return Object.fromEntries(changedNames(changes).map((name) => [name, plain(name, keptLimit(name))]));
}

/** Assignments that write all limits as `keptLimits` kept them, and keep them no more. */
export const restoredLimits = Prisma.sql`${Prisma.join(
  LIMIT_NAMES.map((name) => Prisma.sql`${column(name)} = ${Prisma.raw(keptLimit(name))}`),
)}, limits_before = NULL`;

/** One limit of the rows called `key`, as plain JSON. */
export function currentValue(name: LimitName): Prisma.Sql {
  return plain(name, currentLimit(name));
}

function plain(name: LimitName, value: string): Prisma.Sql {
  return Prisma.raw(name === "expiry_date" ? `${value}::text` : `${value}::float8`);
}

function changedNames(changes: LimitChanges): LimitName[] {
  return LIMIT_NAMES.filter((name) => changes[name] !== undefined);
}

function column(name: LimitName): Prisma.Sql {
  return Prisma.raw(name);
}
