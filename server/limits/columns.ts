import { Prisma } from "@/prisma/generated/client";
import { MAX_AMOUNT } from "./amount";
import type { LimitChanges } from "./apply";
import { isRelative, operationOf, type RelativeChange } from "./relative";
import { LIMIT_NAMES, type LimitName, type Limits } from "./schema";
import { decimalOf } from "./units";

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
export function keptLimit(name: LimitName): string {
  return `${keptText(name)}::${columnType(name)}`;
}

function keptText(name: LimitName): string {
  return `(key.limits_before ->> '${name}')`;
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
export const selectedLimits = LIMIT_NAMES.map((name) => `${plainLimit(name, currentLimit(name))} AS ${name}`).join(
  ", ",
);

/** The same for a statement of Prisma. */
export const limitSelection = Prisma.raw(selectedLimits);

/** The decimals of the amounts among these limits, as an object. A number does not hold all of them. */
export const limitDecimals = Prisma.raw(
  `jsonb_build_object(${LIMIT_NAMES.filter((name) => columnType(name) === "numeric")
    .map((name) => `'${name}', ${currentLimit(name)}::text`)
    .join(", ")})`,
);

/** Assignments that write limits, for `SET`; an absent limit keeps its value. */
export function limitAssignments(changes: LimitChanges): Prisma.Sql[] {
  return changedNames(changes).map((name) => Prisma.sql`${column(name)} = ${limitAfter(name, changes, `key.${name}`)}`);
}

/** Assignments that write the limits that new keys of a group start with; an absent one keeps its value. */
export function defaultAssignments(defaults: Partial<Limits>): Prisma.Sql[] {
  return changedNames(defaults).map(
    (name) =>
      Prisma.sql`${Prisma.raw(defaultColumn(name))} = ${textOf(defaults[name] ?? null)}::${Prisma.raw(columnType(name))}`,
  );
}

/**
 * What becomes of a limit, in the type of its column.
 * @param current an SQL expression of what it is.
 */
export function limitAfter(name: LimitName, changes: LimitChanges, current: string): Prisma.Sql {
  const value = changes[name] ?? null;
  return isRelative(value)
    ? relativeValue(Prisma.raw(current), value)
    : Prisma.sql`${textOf(value)}::${Prisma.raw(columnType(name))}`;
}

/** As text, which PostgreSQL reads exactly. A number could lose its 17th digit on the way. */
function textOf(value: number | string | null): string | null {
  return value === null ? null : String(value);
}

/** The smallest amount that is stored. It lets nothing through. 0 would be no limit. */
const SMALLEST = Prisma.raw(decimalOf(1n));
const LARGEST = Prisma.raw(`${BigInt(MAX_AMOUNT)}`);

/**
 * An amount after a relative change, exactly: rounded half-even to 9 decimals, from the smallest to the largest amount that
 * can be set. No limit (unset or 0) stays no limit, except with `at_most`. See docs/api.md#relative-changes.
 * @param current a `numeric` expression.
 */
export function relativeValue(current: Prisma.Sql, change: RelativeChange): Prisma.Sql {
  const [operation, number] = operationOf(change);
  const value = Prisma.sql`${textOf(number)}::numeric`;
  const isUnlimited = Prisma.sql`coalesce(${current}, 0) = 0`;
  switch (operation) {
    case "at_most":
      return Prisma.sql`(CASE WHEN ${isUnlimited} THEN ${value} ELSE LEAST(${current}, ${value}) END)`;
    case "at_least":
      return Prisma.sql`(CASE WHEN ${isUnlimited} THEN ${current} ELSE GREATEST(${current}, ${value}) END)`;
    default: {
      const result = operation === "add" ? Prisma.sql`(${current} + ${value})` : Prisma.sql`(${current} * ${value})`;
      // `round` rounds a half away from 0, which is too much by one unit when the count of units before it is even.
      const rounded = Prisma.sql`(round(${result}, 9) - CASE WHEN ${result} * 1000000000 % 2 = 0.5 THEN ${SMALLEST} ELSE 0 END)`;
      return Prisma.sql`(CASE WHEN ${isUnlimited} THEN ${current} ELSE LEAST(GREATEST(${rounded}, ${SMALLEST}), ${LARGEST}) END)`;
    }
  }
}

/**
 * The limits whose value after these changes differs from key to key: expressions by the name, of what `current` names. They
 * are amounts, and stay decimals, because an event is undone from what it notes: a number may have fewer digits than they.
 */
export function limitsAfter(changes: LimitChanges, current: (name: LimitName) => string): Record<string, Prisma.Sql> {
  return Object.fromEntries(relativeNames(changes).map((name) => [name, limitAfter(name, changes, current(name))]));
}

/** The same for the rows called `key` once the changes are written. */
export function writtenLimits(changes: LimitChanges): Record<string, Prisma.Sql> {
  return Object.fromEntries(
    relativeNames(changes).map((name) => [name, Prisma.raw(recordedLimit(name, `key.${name}`))]),
  );
}

/** Whether these changes would write another value to the row called `key`. */
export function isOtherThan(changes: LimitChanges): Prisma.Sql {
  const other = changedNames(changes).map(
    (name) => Prisma.sql`key.${column(name)} IS DISTINCT FROM ${limitAfter(name, changes, `key.${name}`)}`,
  );
  return Prisma.sql`(${Prisma.join(other, " OR ")})`;
}

function relativeNames(changes: LimitChanges): LimitName[] {
  return LIMIT_NAMES.filter((name) => isRelative(changes[name]));
}

/**
 * The limits that these changes write, as they are stored before: expressions by the name of the limit. They need no
 * account: no large change of the key is under way when its limits are written. Amounts stay decimals: to
 * make a float of each takes long in an event of many keys (docs/decisions/large-changes.md).
 */
export function limitsBefore(changes: LimitChanges): Record<string, Prisma.Sql> {
  return Object.fromEntries(
    changedNames(changes).map((name) => [
      name,
      Prisma.raw(columnType(name) === "date" ? `key.${name}::text` : `key.${name}`),
    ]),
  );
}

// A distributed database takes no expression into a change that depends on a setting of the connection, as the text of a date
// does (docs/decisions/led-by-account.md).

/** The text of a date, `YYYY-MM-DD`, whatever the settings are. */
function textOfDate(date: string): string {
  const part = (name: string, digits: number) => `lpad(extract(${name} FROM ${date})::text, ${digits}, '0')`;
  return `(${part("year", 4)} || '-' || ${part("month", 2)} || '-' || ${part("day", 2)})`;
}

/** The text of a limit. @param limit an SQL expression of it. */
function textOfLimit(name: LimitName, limit: string): string {
  return columnType(name) === "date" ? textOfDate(limit) : `${limit}::text`;
}

/** A limit as an event keeps it, in a statement that changes keys. @param limit an SQL expression of it. */
export function recordedLimit(name: LimitName, limit: string): string {
  return columnType(name) === "date" ? textOfDate(limit) : limit;
}

/** The value of a limit that stands as text in an SQL expression, in the type of its column. */
export function limitOfText(name: LimitName, text: string): string {
  if (columnType(name) === "numeric") return `(${text})::numeric`;
  return `make_date(${[1, 2, 3].map((part) => `split_part(${text}, '-', ${part})::int`).join(", ")})`;
}

/** Assignments that keep all limits in `limits_before`, as text. */
export const keptLimits = Prisma.raw(
  `limits_before = jsonb_strip_nulls(jsonb_object(ARRAY[${LIMIT_NAMES.map(
    (name) => `'${name}', ${textOfLimit(name, `key.${name}`)}`,
  ).join(", ")}]))`,
);

/** The limits that `keptLimits` kept and these changes wrote: expressions by the name of the limit. */
export function keptBefore(changes: LimitChanges): Record<string, Prisma.Sql> {
  return Object.fromEntries(
    changedNames(changes).map((name) => [
      name,
      Prisma.raw(columnType(name) === "date" ? keptText(name) : keptLimit(name)),
    ]),
  );
}

/** The value of a limit as plain JSON, which stands as text in an SQL expression. */
export function plainOfText(name: LimitName, text: string): string {
  return columnType(name) === "date" ? text : `(${text})::float8`;
}

/** Assignments that write all limits as `keptLimits` kept them, and keep them no more. */
export const restoredLimits = Prisma.sql`${Prisma.join(
  LIMIT_NAMES.map((name) => Prisma.sql`${column(name)} = ${Prisma.raw(limitOfText(name, keptText(name)))}`),
)}, limits_before = NULL`;

/**
 * Whether a limit of the row called `key` has a value as plain JSON has it.
 * @param value an SQL expression of this value, as `plainOfText` makes it.
 */
export function isLimit(name: LimitName, value: string): string {
  if (columnType(name) === "date") return `(key.${name} IS NOT DISTINCT FROM ${limitOfText(name, value)})`;
  return `(key.${name}::float8 IS NOT DISTINCT FROM ${value})`;
}

/**
 * The same of a value in the type of the column. Numbers that are equal are not made plain, which takes longer than all else.
 * @param value an SQL expression of this value, as `limitOfText` makes it.
 */
export function isStoredLimit(name: LimitName, value: string): string {
  const isSame = `key.${name} IS NOT DISTINCT FROM ${value}`;
  return columnType(name) === "date" ? `(${isSame})` : `(${isSame} OR key.${name}::float8 = ${value}::float8)`;
}

/** A limit as plain JSON has it: an amount as a number, the date as text. @param value an SQL expression of it, in the type of its column. */
export function plainLimit(name: LimitName, value: string): string {
  return columnType(name) === "date" ? `${value}::text` : `${value}::float8`;
}

function changedNames(changes: LimitChanges): LimitName[] {
  return LIMIT_NAMES.filter((name) => changes[name] !== undefined);
}

function column(name: LimitName): Prisma.Sql {
  return Prisma.raw(name);
}
