import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import type { Page } from "../input/page";
import { foundTotals, orderBy, type TotalsFilter, type TotalsOrder, totals } from "./found-totals";
import { keysRead } from "./keys-read";
import { groupNamed, joinShown, keyNamed } from "./names";
import { TOKEN_COLUMNS, type Total } from "./schema";
import type { DayRange } from "./spans";
import { totalsBetween } from "./spend-parts";

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
      ${totalsBetween(accountId, range, after, last)}
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
