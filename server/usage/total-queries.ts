import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { isOfAccount } from "../db/account-scope";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import type { Page } from "../input/page";
import { findKeyIds } from "../keys/search-queries";
import { foundTotals, type KeysRead, orderBy, type TotalsFilter, type TotalsOrder, totals } from "./found-totals";
import { groupNamed, joinShown, keyNamed } from "./names";
import { TOKEN_COLUMNS, type Total } from "./schema";
import { type DayRange, spansOf } from "./spans";
import { keysBetween, totalsOfKeys } from "./spend-parts";

type Sums = Pick<Total, "spent" | "captures" | TokenColumn>;

/** A page of totals, and the sums of all pages, in yuan. */
export interface FoundTotals extends Sums {
  data: Total[];
  total: number;
}

const NOTHING: Sums = {
  spent: 0,
  captures: 0,
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
};

/**
 * A page of what each group, key or model of the account spent, and the sums of all pages. Those without a capture in the range are
 * left out. The rows and the sums are of one moment, because one statement reads both.
 */
export async function listTotals(
  db: Database,
  accountId: AccountId,
  filter: TotalsFilter,
  { sort, order }: TotalsOrder,
  { page, pageSize }: Page,
): Promise<FoundTotals> {
  const { by } = filter;
  const read = await keysRead(db, accountId, filter);
  const rows = await readLarge(
    db,
    db.prisma.$queryRaw<(Total & { row_count: number; sums: Sums })[]>`
    WITH ${foundTotals(accountId, filter, { sort, order }, { page, pageSize }, read)}
    SELECT NULLIF(shown.id, '') AS id, coalesce(key.name, own.name, shown.name) AS name, key.group_id,
      its.name AS group_name, shown.spent::float8 AS spent, shown.captures::float8 AS captures,
      ${Prisma.raw(TOKEN_COLUMNS.map((column) => `shown.${column}::float8 AS ${column}`).join(", "))},
      counted.row_count, counted.sums
    FROM counted
    LEFT JOIN shown ON true
    ${joinShown(accountId, by)}
    LEFT JOIN LATERAL ${groupNamed(accountId, Prisma.sql`key.group_id`)} AS its ON true
    ${orderBy("shown", { sort, order })}`,
  );
  const first = rows[0];
  return {
    // The sums are there although the page has no row.
    data: rows.filter(({ spent }) => spent !== null).map(({ row_count: _, sums: __, ...total }) => total),
    total: first?.row_count ?? 0,
    ...(first?.sums ?? NOTHING),
  };
}

/** Up to so many keys are looked up, whoever spent. */
const FEW_KEYS = 1_000;
/** To look up what one key spent takes as long as to add up what so many spent. */
const SPENDERS_OF_LOOK_UP = 20;
/** Asking so many keys that spent for a text takes as long as reading the ids of many keys that have it. */
const MANY_SPENDERS = 30_000;
/** The most found keys that are read before what they spent, where fewer spent and where as many did. */
const MOST_FOUND = { ofFew: 5_000, ofMany: 20_000 };
/** To count the keys of a group stops here. */
const MOST_COUNTED = 20_000;

async function keysRead(
  db: Database,
  accountId: AccountId,
  { by, search = "", range, groupId }: TotalsFilter,
): Promise<KeysRead> {
  const each = { found: undefined, areMany: false };
  if (by !== "key") return each;
  const areMany = async (keys: number) =>
    keys > FEW_KEYS && !(await haveSpent(db, accountId, range, SPENDERS_OF_LOOK_UP * keys));
  const ofFound = async (found: readonly string[]) => {
    const isCounted = groupId !== undefined && found.length > FEW_KEYS;
    const listed = isCounted ? await countMembers(db, accountId, groupId, found) : found.length;
    return { found, areMany: await areMany(listed) };
  };
  if (search !== "") {
    const some = await findKeyIds(db, accountId, search, MOST_FOUND.ofFew + 1);
    if (some.length <= MOST_FOUND.ofFew) return ofFound(some);
    if (await haveSpent(db, accountId, range, MANY_SPENDERS)) {
      const found = await findKeyIds(db, accountId, search, MOST_FOUND.ofMany + 1);
      if (found.length <= MOST_FOUND.ofMany) return ofFound(found);
    }
  }
  if (groupId === undefined) return each;
  return { found: undefined, areMany: await areMany(await countMembers(db, accountId, groupId, undefined)) };
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

/** One row of a file with all totals. The amount is exact, in yuan. */
export type ExactTotal = Omit<Total, "spent" | "captures" | TokenColumn> & { spent: string; captures: string };

type TokenColumn = (typeof TOKEN_COLUMNS)[number];

/** One row of a file by model. `name` is the model; null: captures without a model, whose tokens are unknown. */
export type ExactModelTotal = { name: string | null; spent: string; captures: string } & Record<
  TokenColumn,
  string | null
>;

/** What was spent with every model, the one that cost most first. */
export function listModelTotals(
  db: Database,
  accountId: AccountId,
  range: DayRange,
  groupId: string | undefined,
): Promise<ExactModelTotal[]> {
  return readLarge(
    db,
    db.prisma.$queryRaw<ExactModelTotal[]>`
    WITH ${totals(accountId, { range, by: "model", groupId })}
    SELECT NULLIF(id, '') AS name, trim_scale(spent)::text AS spent, captures::text AS captures,
      ${Prisma.raw(TOKEN_COLUMNS.map((column) => `${column}::text AS ${column}`).join(", "))}
    FROM whole ORDER BY whole.spent DESC, id`,
  );
}

/** What every group of the account spent, those that spent most first. At most as many rows as there are groups. */
export function listGroupTotals(
  db: Database,
  accountId: AccountId,
  range: DayRange,
  groupId: string | undefined,
): Promise<ExactTotal[]> {
  return readLarge(
    db,
    db.prisma.$queryRaw<ExactTotal[]>`
    WITH ${totals(accountId, { range, by: "group", groupId })}
    SELECT NULLIF(whole.id, '') AS id, own.name, NULL AS group_id, NULL AS group_name,
      trim_scale(whole.spent)::text AS spent, whole.captures::text AS captures
    FROM whole LEFT JOIN LATERAL ${groupNamed(accountId, Prisma.sql`whole.id`)} AS own ON true
    ORDER BY whole.spent DESC, whole.id`,
  );
}

/**
 * What the next `count` keys of the account spent, in the order of their ids; those without a capture are left out. `last` is
 * the last key that was looked at; undefined when there is no further key.
 */
export async function listKeyTotalsAfter(
  db: Database,
  accountId: AccountId,
  { range, groupId, after = "" }: { range: DayRange; groupId: string | undefined; after: string | undefined },
  count: number,
): Promise<{ data: ExactTotal[]; last: string | undefined }> {
  const ofGroup = groupId === undefined ? Prisma.empty : Prisma.sql`AND group_id = ${groupId}`;
  const [bounds] = await db.prisma.$queryRaw<{ last: string | null; keys: number }[]>`
    SELECT max(id) AS last, count(*)::int AS keys FROM (
      SELECT id FROM api_key WHERE account_id = ${accountId} AND id > ${after} ${ofGroup}
      ORDER BY account_id, id LIMIT ${count}
    ) AS next`;
  if (!bounds?.last) return { data: [], last: undefined };
  const { last, keys } = bounds;
  // In a comparison, the sub-select is a hash table, so that the keys of other groups are not looked up.
  const amongNext =
    groupId === undefined
      ? Prisma.empty
      : Prisma.sql`WHERE (id IN (
          SELECT id FROM api_key WHERE account_id = ${accountId} AND id > ${after} AND id <= ${last} ${ofGroup}
        )) IS TRUE`;
  const data = await readLarge(
    db,
    db.prisma.$queryRaw<ExactTotal[]>`
    WITH whole AS MATERIALIZED (
      ${totalsOfKeys(accountId, range, [keysBetween(after, last)])}
    )
    SELECT whole.id, key.name, key.group_id, its.name AS group_name, trim_scale(whole.spent)::text AS spent,
      whole.captures::text AS captures
    FROM (SELECT * FROM whole ${amongNext}) AS whole
    CROSS JOIN LATERAL ${keyNamed(accountId, Prisma.sql`whole.id`)} AS key
    LEFT JOIN LATERAL ${groupNamed(accountId, Prisma.sql`key.group_id`)} AS its ON true
    ORDER BY whole.id`,
  );
  return { data, last: keys < count ? undefined : last };
}
