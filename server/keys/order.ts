import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { KeyPlace } from "./place";
import { type KeySort, NEAR_FROM } from "./schema";
import { CHANGE, MONTH, mayBeNearLimit, ofAccount, TODAY } from "./selection";
import { shareUsed, spentThisMonth, spentToday } from "./state";

/** The order of a list of keys. Keys with the same value are ordered by their id; unset values come last. */
export interface KeyOrder {
  sort: KeySort;
  order: "asc" | "desc";
}

/** The sorts that an index has the order of. For the others, the database reads all keys that match. */
const INDEXED_SORTS: readonly KeySort[] = ["created_at", "name"];

/** Whether an index has the order of a sort. */
export function isIndexed(sort: KeySort): boolean {
  return INDEXED_SORTS.includes(sort);
}

/**
 * `ORDER BY …` of the rows `key`.
 * @param depth how many keys are sorted: those of the page and of all pages before it.
 */
export function orderBy(accountId: AccountId, { sort, order }: KeyOrder, depth: number): Prisma.Sql {
  return orderOf(accountId, sort, order, "NULLS LAST", depth);
}

/** The same of rows `id` and `value`, which is the `orderValue` of a key. */
export function orderOfValues({ order }: KeyOrder): Prisma.Sql {
  return Prisma.raw(`ORDER BY value ${order} NULLS LAST, id ${order}`);
}

/** The order of the same list from its end. */
export function reversed(accountId: AccountId, { sort, order }: KeyOrder, depth: number): Prisma.Sql {
  return orderOf(accountId, sort, order === "asc" ? "desc" : "asc", "NULLS FIRST", depth);
}

/**
 * What the rows `key` are ordered by, where an unset value is behind all others, whichever end the list is read from. With the
 * id behind it, it compares two keys.
 */
export function comparedValue(accountId: AccountId, { sort, order }: KeyOrder): Prisma.Sql {
  return Prisma.sql`coalesce(${orderValue(accountId, sort)}, ${Prisma.raw(order === "asc" ? "'infinity'" : "'-infinity'")})`;
}

/**
 * A condition that an index answers, and that only keys at an end of the list fulfil: each of them is nearer to that end than
 * all others. Absent: no index knows the keys at this end.
 */
export function isAtEnd(accountId: AccountId, { sort, order }: KeyOrder, fromEnd: boolean): Prisma.Sql | undefined {
  if (sort !== "share_used" || (!fromEnd && order === "asc")) return undefined;
  // A clock that was ahead may have begun a month in which a key of the index has spent nothing.
  const candidates = fromEnd
    ? Prisma.sql`key.is_unlimited`
    : Prisma.sql`${mayBeNearLimit(ofAccount(accountId, TODAY))} AND ${orderValue(accountId, sort)} > ${Prisma.raw(String(NEAR_FROM))}`;
  // The indexes are of limits that do not hold yet while a large change is under way.
  return Prisma.sql`${candidates} AND ${ofAccount(accountId, CHANGE)} IS NULL`;
}

function orderOf(accountId: AccountId, sort: KeySort, order: "asc" | "desc", unset: string, depth: number): Prisma.Sql {
  const direction = Prisma.raw(order);
  const value = orderValue(accountId, sort);
  // A column of an index is never unset. With words about it, PostgreSQL would not see the order of the index.
  if (isIndexed(sort)) {
    return Prisma.sql`ORDER BY key.account_id ${direction}, ${value} ${direction}, key.id ${direction}`;
  }
  const inOrder = (by: Prisma.Sql) => Prisma.sql`${by} ${direction} ${Prisma.raw(unset)}`;
  // To make a float of a decimal takes as long as to compare it a few times. So it pays where each is compared often. Decimals
  // that make the same float are compared as they are: the order is exact.
  const asFloat =
    isDecimal(sort) && depth > MOST_COMPARED_ONCE
      ? Prisma.sql`${inOrder(Prisma.sql`(${value})::float8`)},`
      : Prisma.empty;
  return Prisma.sql`ORDER BY key.account_id ${direction}, ${asFloat} ${inOrder(value)}, key.id ${direction}`;
}

/** To find the first so many keys of a list in order, most keys are compared once, with the last of these. */
const MOST_COMPARED_ONCE = 10_000;

const COMPUTED: Partial<Record<KeySort, string>> = {
  spent_today: spentToday(TODAY),
  spent_this_month: spentThisMonth(TODAY, MONTH),
  share_used: shareUsed(TODAY, MONTH, CHANGE),
};

/** What the rows `key` are ordered by. The names of columns are those of KEY_SORTS, and never what a request sent. */
export function orderValue(accountId: AccountId, sort: KeySort): Prisma.Sql {
  return ofAccount(accountId, COMPUTED[sort] ?? `key.${sort}`);
}

function isTime(sort: KeySort): boolean {
  return sort.endsWith("_at") || sort.endsWith("_date");
}

/** Whether a sort that no index has the order of is by an exact amount, and not by a float. */
function isDecimal(sort: KeySort): boolean {
  return !isTime(sort) && sort !== "share_used";
}

/** The value of a `KeyPlace`, of the rows `key`. */
export function placeValue(accountId: AccountId, sort: KeySort): Prisma.Sql {
  return Prisma.sql`${comparable(accountId, sort)}::text`;
}

/** The condition of the rows `key` that come after a place. */
export function isAfter(accountId: AccountId, { sort, order }: KeyOrder, { value, apikeyId }: KeyPlace): Prisma.Sql {
  const isBehind = Prisma.raw(order === "asc" ? ">" : "<");
  if (sort === "created_at") {
    return Prisma.sql`(key.created_at, key.id) ${isBehind} (
      SELECT created_at, id FROM api_key WHERE account_id = ${accountId} AND id = ${apikeyId})`;
  }
  if (sort === "name") return Prisma.sql`(key.name, key.id) ${isBehind} (${value}, ${apikeyId})`;
  const own = comparable(accountId, sort);
  if (value === null) return Prisma.sql`${own} IS NULL AND key.id ${isBehind} ${apikeyId}`;
  const at = Prisma.sql`${value}::${Prisma.raw(isDecimal(sort) ? "numeric" : "float8")}`;
  return Prisma.sql`(${own} ${isBehind} ${at} OR (${own} = ${at} AND key.id ${isBehind} ${apikeyId}) OR ${own} IS NULL)`;
}

/** A value that keeps its place when it is sent as text: amounts as they are, times as seconds since 1970. */
function comparable(accountId: AccountId, sort: KeySort): Prisma.Sql {
  const value = orderValue(accountId, sort);
  return isTime(sort) ? Prisma.sql`extract(epoch FROM ${value})::float8` : value;
}
