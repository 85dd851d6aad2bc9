import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import { contains, nameContains } from "../db/search";
import type { Page } from "../input/page";
import { partsOfModels } from "./model-parts";
import { TOKEN_COLUMNS, type Total, type TotalSort, type UsageBy } from "./schema";
import type { DayRange } from "./spans";
import {
  everyKey,
  keysBetween,
  keysOfGroup,
  membersOf,
  openDays,
  partsOfGroups,
  partsOfKeys,
  sinceRollUp,
} from "./spend-parts";

/** Whose spend is added up. */
export interface TotalsFilter {
  range: DayRange;
  /** What each row is. */
  by: UsageBy;
  /** Only keys of this group. */
  groupId: string | undefined;
  /** A part of the name, or of the id of a key, in any letter case. */
  search: string | undefined;
}

/** Rows with the same value are ordered by their id. What has no name, or no tokens, comes last by these. */
export interface TotalsOrder {
  sort: TotalSort;
  order: "asc" | "desc";
}

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
  const { by, search = "" } = filter;
  const needsName = sort === "name" || search !== "";
  // The names of columns are those of TOTAL_SORTS, and never what a request sent.
  const place = (table: string) => Prisma.raw(`ORDER BY ${table}.${sort} ${order} NULLS LAST, ${table}.id`);
  const rows = await readLarge(
    db,
    db.prisma.$queryRaw<(Total & { row_count: number; sums: Sums })[]>`
    WITH ${totals(accountId, filter)}, found AS (
      SELECT whole.*, ${needsName && by !== "model" ? Prisma.sql`named.name` : Prisma.sql`${nameOfModel(by)} AS name`}
      FROM whole ${needsName ? named(accountId, by, search) : Prisma.empty}
    ), shown AS (
      SELECT * FROM found ${place("found")} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
    )
    SELECT NULLIF(shown.id, '') AS id, coalesce(key.name, own.name, shown.name) AS name, key.group_id,
      its.name AS group_name, shown.spent::float8 AS spent, shown.captures::float8 AS captures,
      ${Prisma.raw(TOKEN_COLUMNS.map((column) => `shown.${column}::float8 AS ${column}`).join(", "))},
      counted.row_count, counted.sums
    FROM (
      SELECT count(*)::int AS row_count, json_build_object(
        'spent', coalesce(sum(spent), 0)::float8, 'captures', coalesce(sum(captures), 0)::float8,
        ${Prisma.raw(TOKEN_COLUMNS.map((column) => `'${column}', sum(${column})::float8`).join(", "))}) AS sums
      FROM found
    ) AS counted
    LEFT JOIN shown ON true
    LEFT JOIN api_key key ON ${by} = 'key' AND key.account_id = ${accountId} AND key.id = shown.id
    LEFT JOIN api_key_group own ON ${by} = 'group' AND own.account_id = ${accountId} AND own.id = shown.id
    LEFT JOIN api_key_group its ON its.account_id = ${accountId} AND its.id = key.group_id
    ${place("shown")}`,
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
    FROM whole LEFT JOIN api_key_group own ON own.account_id = ${accountId} AND own.id = whole.id
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
  const scope = keysBetween(after, last);
  const data = await readLarge(
    db,
    db.prisma.$queryRaw<ExactTotal[]>`
    WITH ${openDays(accountId, range)}, whole AS MATERIALIZED (
      SELECT id, sum(spent) AS spent, sum(captures) AS captures FROM ${partsOfKeys(accountId, range, scope)}
      GROUP BY id HAVING sum(captures) > 0
    ), named AS MATERIALIZED (
      SELECT id, name, group_id FROM api_key WHERE account_id = ${accountId} AND id > ${after} AND id <= ${last} ${ofGroup}
    )
    SELECT named.*, its.name AS group_name, trim_scale(whole.spent)::text AS spent, whole.captures::text AS captures
    FROM whole JOIN named USING (id)
    LEFT JOIN api_key_group its ON its.account_id = ${accountId} AND its.id = named.group_id
    ORDER BY named.id`,
  );
  return { data, last: keys < count ? undefined : last };
}

/** Common table expressions. The last one is `whole`: `id`, `spent`, `captures` and tokens of each that had a capture. */
function totals(
  accountId: AccountId,
  { range, by, groupId }: Pick<TotalsFilter, "range" | "by" | "groupId">,
): Prisma.Sql {
  if (by === "model") {
    return Prisma.sql`${partsOfModels(accountId, range, groupId)}, whole AS MATERIALIZED (
      SELECT id, sum(spent) AS spent, sum(captures) AS captures, ${tokens((column) => `sum(${column})`)}
      FROM part GROUP BY id HAVING sum(captures) > 0
    )`;
  }
  const ofGroup = groupId === undefined ? Prisma.sql`true` : Prisma.sql`id = ${groupId}`;
  const [before, parts] =
    by === "group"
      ? [sinceRollUp(accountId, range), Prisma.sql`${partsOfGroups(accountId, range)} WHERE ${ofGroup}`]
      : groupId === undefined
        ? [undefined, partsOfKeys(accountId, range, everyKey)]
        : [membersOf(accountId, groupId), partsOfKeys(accountId, range, keysOfGroup)];
  return Prisma.sql`${openDays(accountId, range)}, ${before ? Prisma.sql`${before},` : Prisma.empty}
    whole AS MATERIALIZED (
      SELECT id, sum(spent) AS spent, sum(captures) AS captures, ${tokens(() => "NULL::bigint")}
      FROM ${parts} GROUP BY id HAVING sum(captures) > 0
    )`;
}

function tokens(of: (column: string) => string): Prisma.Sql {
  return Prisma.raw(TOKEN_COLUMNS.map((column) => `${of(column)} AS ${column}`).join(", "));
}

/** The name of a model is its id. Those of groups and keys are looked up. */
function nameOfModel(by: UsageBy): Prisma.Sql {
  return by === "model" ? Prisma.sql`NULLIF(whole.id, '')` : Prisma.sql`NULL::text`;
}

/** Joins to `whole` the names that match, or keeps the models that do. What has no name is found by no search. */
function named(accountId: AccountId, by: UsageBy, search: string): Prisma.Sql {
  if (by === "model") {
    return search === "" ? Prisma.empty : Prisma.sql`WHERE ${nameContains(nameOfModel(by), search)}`;
  }
  const table = Prisma.raw(by === "key" ? "api_key" : "api_key_group");
  const rows = Prisma.sql`(
      SELECT id, name FROM ${table} named WHERE account_id = ${accountId}
        ${search === "" ? Prisma.empty : Prisma.sql`AND ${contains(Prisma.sql`search_text`, search)}`}
    ) AS named USING (id)`;
  return search === "" ? Prisma.sql`LEFT JOIN ${rows}` : Prisma.sql`JOIN ${rows}`;
}
