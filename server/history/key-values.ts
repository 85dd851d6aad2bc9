import { Prisma } from "@/prisma/generated/client";
import { isSameValue } from "../limits/exact-amount";

// The values that an event notes for its keys, and the form in which they are stored: `recording.ts` writes it.

/** Values by the name of their field. */
export type Values = Readonly<Record<string, unknown>>;

/** The fields of a change of many keys that are noted for each key. */
export interface FieldsOfKeys {
  before: readonly string[];
  /** Those whose value after the change differs from key to key. */
  after: readonly string[];
}

/** The columns of `target` with the values before, to follow others: a comma, an expression and a name for each field. */
export function beforeColumns(before: Readonly<Record<string, Prisma.Sql>>): Prisma.Sql {
  return namedColumns(before, beforeColumn);
}

/** The same for the values after that differ from key to key. */
export function afterColumns(after: Readonly<Record<string, Prisma.Sql>>): Prisma.Sql {
  return namedColumns(after, afterColumn);
}

function namedColumns(
  values: Readonly<Record<string, Prisma.Sql>>,
  columnOf: (field: string) => Prisma.Sql,
): Prisma.Sql {
  const columns = Object.entries(values).map(([field, value]) => Prisma.sql`, ${value} AS ${columnOf(field)}`);
  return columns.length === 0 ? Prisma.empty : Prisma.join(columns, " ");
}

function beforeColumn(field: string): Prisma.Sql {
  return Prisma.raw(`before_${field}`);
}

function afterColumn(field: string): Prisma.Sql {
  return Prisma.raw(`after_${field}`);
}

/** The two columns `before` and `after` of the keys of an event. */
export function valuesOfKeys({ before, after }: FieldsOfKeys, valueIn: (column: Prisma.Sql) => Prisma.Sql): Prisma.Sql {
  const object = (fields: readonly string[], columnOf: (field: string) => Prisma.Sql) => {
    const pairs = fields.map((field) => Prisma.sql`${Prisma.raw(`'${field}'`)}, ${valueIn(columnOf(field))}`);
    return Prisma.sql`jsonb_build_object(${pairs.length === 0 ? Prisma.empty : Prisma.join(pairs)})`;
  };
  const afterEach = after.length === 0 ? Prisma.sql`NULL::jsonb` : object(after, afterColumn);
  return Prisma.sql`${object(before, beforeColumn)}, ${afterEach}`;
}

/**
 * The value that all rows of a group have in a column, or an array of their values. The array is made once; to look for the
 * least and the greatest value of the rows takes longer than to compare it.
 */
export function sharedValue(column: Prisma.Sql): Prisma.Sql {
  const values = Prisma.sql`array_agg(${column})`;
  return Prisma.sql`CASE WHEN ${values} = array_fill((${values})[1], ARRAY[count(*)::int])
      THEN to_jsonb((${values})[1]) ELSE to_jsonb(${values}) END`;
}

/** The fields that have the same value in all of these. */
export function sharedValues(all: readonly Values[]): Values {
  const [first = {}, ...rest] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([field, value]) =>
      rest.every((other) => field in other && isSameValue(other[field], value)),
    ),
  );
}

/** The form of a chunk: for each field one value, or an array with one for each key. */
export function inColumns(all: readonly Values[]): Values {
  const shared = sharedValues(all);
  const fields = Object.keys(all[0] ?? {});
  return Object.fromEntries(
    fields.map((field) => [field, field in shared ? shared[field] : all.map((values) => values[field])]),
  );
}
