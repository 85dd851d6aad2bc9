import { Prisma } from "@/prisma/generated/client";
import type { LimitChanges } from "./apply";
import { LIMIT_NAMES, type LimitName } from "./schema";

// The column of a limit has the name of the limit.

/** The six limits of the rows called `key`, as plain JSON: amounts exactly as they were accepted, the date as text. */
export const limitSelection = Prisma.join(
  LIMIT_NAMES.map((name) => Prisma.sql`${currentValue(name)} AS ${column(name)}`),
);

/** Assignments that write limits, for `SET`; an absent limit keeps its value. */
export function limitAssignments(changes: LimitChanges): Prisma.Sql[] {
  return changedNames(changes).map((name) => {
    const value = changes[name];
    // As text, which PostgreSQL reads exactly. A number could lose its 17th digit on the way.
    const text = typeof value === "number" ? String(value) : value;
    return Prisma.sql`${column(name)} = ${text}::${Prisma.raw(columnType(name))}`;
  });
}

/** The limits that these changes write, as they are before: expressions by the name of the limit. */
export function limitsBefore(changes: LimitChanges): Record<string, Prisma.Sql> {
  return Object.fromEntries(changedNames(changes).map((name) => [name, currentValue(name)]));
}

/** One limit of the rows called `key`, as plain JSON. */
export function currentValue(name: LimitName): Prisma.Sql {
  return Prisma.raw(name === "expiry_date" ? `key.${name}::text` : `key.${name}::float8`);
}

/** PostgreSQL's name for the type of the column of a limit. */
export function columnType(name: LimitName): "date" | "numeric" {
  return name === "expiry_date" ? "date" : "numeric";
}

function changedNames(changes: LimitChanges): LimitName[] {
  return LIMIT_NAMES.filter((name) => changes[name] !== undefined);
}

function column(name: LimitName): Prisma.Sql {
  return Prisma.raw(name);
}
