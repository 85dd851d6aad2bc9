import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { isOfAccount } from "../db/account-scope";
import type { Database } from "../db/client";
import { estimateKeys } from "../keys/estimate-queries";
import { findKeyIds } from "../keys/search-queries";
import type { UsageBy } from "./schema";
import { type DayRange, spansOf } from "./spans";

// How what the keys of a search or of a group spent is read. The figures behind the bounds: docs/decisions/lists.md.

/** What is found before what keys spent is read. */
export interface KeysRead {
  /**
   * The ids of the keys that the search finds; or "by text": the same statement reads all keys that have the text. Undefined:
   * there is no search, or each key that spent is asked for the text.
   */
  found: readonly string[] | "by text" | undefined;
  /** What all keys spent is added up, and the others are left out. Otherwise each key is looked up. */
  areMany: boolean;
}

/** Up to so many keys are looked up, whoever spent. */
const FEW_KEYS = 1_000;
/** To look up what one key spent takes as long as to add up what so many spent. */
const SPENDERS_OF_LOOK_UP = 20;
/** Asking so many keys that spent for a text takes as long as reading the ids of many keys that have it. */
const MANY_SPENDERS = 30_000;
/** The most found keys that are read before what they spent, where fewer spent and where as many did. */
const MOST_FOUND = { ofFew: 5_000, ofMany: 20_000 };
/** To ask one key that spent for a text takes as long as to read so many keys and keep the ids of those that have it. */
const KEYS_OF_ASKED = 5;
/** PostgreSQL keeps the ids of so many keys in a hash table, in the memory that `readLarge` allows. */
const MOST_HASHED = 1_500_000;
/** To count the keys of a group stops here. */
const MOST_COUNTED = 20_000;

/** @param filter without a search: of all keys, or of those of the group. */
export async function keysRead(
  db: Database,
  accountId: AccountId,
  {
    by,
    search = "",
    range,
    groupId,
  }: { by: UsageBy; search?: string | undefined; range: DayRange; groupId: string | undefined },
): Promise<KeysRead> {
  if (by !== "key") return { found: undefined, areMany: false };
  const areMany = async (keys: number) =>
    keys > FEW_KEYS && !(await haveSpent(db, accountId, range, SPENDERS_OF_LOOK_UP * keys));
  if (search !== "") {
    const found = await findFew(db, accountId, search, range);
    if (found) {
      const isCounted = groupId !== undefined && found.length > FEW_KEYS;
      const listed = isCounted ? await countMembers(db, accountId, groupId, found) : found.length;
      return { found, areMany: await areMany(listed) };
    }
  }
  const areManyMembers =
    groupId !== undefined && (await areMany(await countMembers(db, accountId, groupId, undefined)));
  const isOfMany = search !== "" && (groupId === undefined || areManyMembers);
  if (isOfMany && (await haveManySpent(db, accountId, range))) return { found: "by text", areMany: true };
  return { found: undefined, areMany: areManyMembers };
}

/** The ids of the keys that have a text; undefined where they are more than are read before what they spent. */
async function findFew(
  db: Database,
  accountId: AccountId,
  search: string,
  range: DayRange,
): Promise<string[] | undefined> {
  const some = await findKeyIds(db, accountId, search, MOST_FOUND.ofFew + 1);
  if (some.length <= MOST_FOUND.ofFew) return some;
  if (!(await haveSpent(db, accountId, range, MANY_SPENDERS))) return undefined;
  const more = await findKeyIds(db, accountId, search, MOST_FOUND.ofMany + 1);
  return more.length <= MOST_FOUND.ofMany ? more : undefined;
}

/**
 * Whether many keys spent, also beside all keys of the database, of which there are few enough for a hash table:
 * PostgreSQL would compare all with all otherwise. Where it never counted the keys, nobody knows.
 */
async function haveManySpent(db: Database, accountId: AccountId, range: DayRange): Promise<boolean> {
  const keys = await estimateKeys(db.prisma);
  if (keys === 0 || keys > MOST_HASHED) return false;
  return haveSpent(db, accountId, range, Math.max(MANY_SPENDERS, Math.ceil(keys / KEYS_OF_ASKED)));
}

/**
 * About how many keys of a group spent before today, up to `MOST_COUNTED`. Those that were moved since are not looked at.
 * @param ids counts these alone; undefined: all.
 */
async function countMembers(
  db: Database,
  accountId: AccountId,
  groupId: string,
  ids: readonly string[] | undefined,
): Promise<number> {
  const isCounted = ids ? Prisma.sql`(key_id IN (SELECT unnest(${ids}::text[]))) IS TRUE` : Prisma.sql`true`;
  const [counted] = await db.prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM rolled_key rolled
      WHERE group_id = ${groupId} AND ${isOfAccount("rolled", accountId)} AND ${isCounted} LIMIT ${MOST_COUNTED}
    ) AS counted`;
  return counted?.count ?? 0;
}

/** Whether about so many keys or more spent in a range: in one of its longest spans. */
async function haveSpent(db: Database, accountId: AccountId, range: DayRange, keys: number): Promise<boolean> {
  const spans = spansOf(range);
  const days = Math.max(...spans.map((span) => span.days));
  const longest = spans.filter((span) => span.days === days).map(({ first }) => first);
  const spenders =
    days > 1
      ? Prisma.sql`spend_span
          WHERE account_id = ${accountId} AND kind = 'key' AND days = ${days} AND first = span.first`
      : Prisma.sql`key_day WHERE account_id = ${accountId} AND day = span.first AND day > '1000-01-01'`;
  const [counted] = await db.prisma.$queryRaw<{ count: number }[]>`
    SELECT coalesce(max(spenders.count), 0)::int AS count
    FROM unnest(${longest}::date[]) AS span (first)
    CROSS JOIN LATERAL (SELECT count(*) FROM (SELECT FROM ${spenders} LIMIT ${keys}) AS counted) AS spenders`;
  return counted?.count === keys;
}
