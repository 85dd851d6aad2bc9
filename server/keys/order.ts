import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { KeyPlace } from "./place";
import type { KeySort } from "./schema";
import { ACCOUNT, ofAccount } from "./selection";
import { shareUsed, spentThisMonth, spentToday } from "./state";

/** The order of a list of keys. Keys with the same value are ordered by their id; unset values come last. */
export interface KeyOrder {
  sort: KeySort;
  order: "asc" | "desc";
}

/** The sorts that an index has the order of. For the others, the database reads all keys that match. */
const INDEXED_SORTS: readonly KeySort[] = ["created_at", "name"];

export function isIndexed(sort: KeySort): boolean {
  return INDEXED_SORTS.includes(sort);
}

/** `ORDER BY …` of the rows `key`. */
export function orderBy(accountId: AccountId, { sort, order }: KeyOrder): Prisma.Sql {
  return orderOf(accountId, sort, order, "NULLS LAST");
}

/** The order of the same list from its end. */
export function reversed(accountId: AccountId, { sort, order }: KeyOrder): Prisma.Sql {
  return orderOf(accountId, sort, order === "asc" ? "desc" : "asc", "NULLS FIRST");
}

function orderOf(accountId: AccountId, sort: KeySort, order: "asc" | "desc", unset: string): Prisma.Sql {
  const direction = Prisma.raw(order);
  // A column of an index is never unset. With words about it, PostgreSQL would not see the order of the index.
  const place = isIndexed(sort) ? Prisma.empty : Prisma.raw(unset);
  return Prisma.sql`ORDER BY key.account_id ${direction}, ${orderValue(accountId, sort)} ${direction} ${place},
    key.id ${direction}`;
}

// Sub-selects, so that PostgreSQL works these out once, and not for each key.
const ofRow = (value: string) => `(SELECT ${value} FROM account WHERE id = ${ACCOUNT})`;
const TODAY = ofRow("(now() AT TIME ZONE time_zone)::date");
const MONTH = ofRow("date_trunc('month', (now() AT TIME ZONE time_zone)::date)::date");
const CHANGE = ofRow("limit_change_id");

const COMPUTED: Partial<Record<KeySort, string>> = {
  spent_today: spentToday(TODAY),
  spent_this_month: spentThisMonth(TODAY, MONTH),
  share_used: shareUsed(TODAY, MONTH, CHANGE),
};

/** What the rows `key` are ordered by. The names of columns are those of KEY_SORTS, and never what a request sent. */
function orderValue(accountId: AccountId, sort: KeySort): Prisma.Sql {
  const value = COMPUTED[sort] ?? `key.${sort}`;
  // The answer has the amounts as such numbers too. To compare them takes a fraction of the time that decimals take.
  return ofAccount(accountId, isIndexed(sort) || isTime(sort) ? value : `(${value})::float8`);
}

function isTime(sort: KeySort): boolean {
  return sort.endsWith("_at") || sort.endsWith("_date");
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
  const at = Prisma.sql`${value}::float8`;
  return Prisma.sql`(${own} ${isBehind} ${at} OR (${own} = ${at} AND key.id ${isBehind} ${apikeyId}) OR ${own} IS NULL)`;
}

/** A value that keeps its place when it is sent as text: times as seconds since 1970. */
function comparable(accountId: AccountId, sort: KeySort): Prisma.Sql {
  const value = orderValue(accountId, sort);
  return isTime(sort) ? Prisma.sql`extract(epoch FROM ${value})::float8` : value;
}
