import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { contains, nameContains } from "../db/search";
import type { Page } from "../input/page";
import { partsOfModels } from "./model-parts";
import { TOKEN_COLUMNS, type TotalSort, type UsageBy } from "./schema";
import type { DayRange } from "./spans";
import {
  everyKey,
  keysOf,
  membersOf,
  openDays,
  partsOfAccount,
  partsOfGroups,
  partsOfKeys,
  sinceRollUp,
} from "./spend-parts";

// What groups, keys or models spent, as common table expressions of a list with a page, a search and an order.

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

/** The names of columns are those of TOTAL_SORTS, and never what a request sent. */
export function orderBy(table: string, { sort, order }: TotalsOrder): Prisma.Sql {
  return Prisma.raw(`ORDER BY ${table}.${sort} ${order} NULLS LAST, ${table}.id`);
}

/**
 * Common table expressions. The last two are `shown`: `id`, `name`, `spent`, `captures` and tokens of those on a page, where a
 * name may be missing; and `counted`, one row: `row_count` and, as JSON, `sums` of all pages.
 */
export function foundTotals(accountId: AccountId, filter: TotalsFilter, order: TotalsOrder, page: Page): Prisma.Sql {
  const { by, search = "" } = filter;
  if (by === "key" && order.sort === "name" && search === "") return keysByName(accountId, filter, order, page);
  return Prisma.sql`${found(accountId, filter, order)}, shown AS (
      SELECT * FROM found ${orderBy("found", order)} ${limit(page)}
    ), counted AS (SELECT count(*)::int AS row_count, ${sums} AS sums FROM found)`;
}

const limit = ({ page, pageSize }: Page) => Prisma.sql`LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;

const sums = Prisma.raw(`json_build_object(
        'spent', coalesce(sum(spent), 0)::float8, 'captures', coalesce(sum(captures), 0)::float8,
        ${TOKEN_COLUMNS.map((column) => `'${column}', sum(${column})::float8`).join(", ")})`);

/** Common table expressions. The last one is `found`: the columns of `whole` and `name`. */
function found(accountId: AccountId, filter: TotalsFilter, { sort }: TotalsOrder): Prisma.Sql {
  const { by, range, groupId, search = "" } = filter;
  if (by === "model") {
    const name = Prisma.sql`NULLIF(id, '')`;
    const matches = search === "" ? Prisma.sql`true` : nameContains(name, search);
    return Prisma.sql`${totals(accountId, filter)}, found AS (SELECT *, ${name} AS name FROM whole WHERE ${matches})`;
  }
  if (by === "key" && search !== "") {
    // Only what these keys spent is added up.
    const before = groupId === undefined ? Prisma.empty : Prisma.sql`${membersOf(accountId, groupId)},`;
    const ofGroup = groupId === undefined ? Prisma.empty : Prisma.sql`AND id IN (SELECT id FROM member)`;
    return Prisma.sql`${openDays(accountId, range)}, ${before} matching AS MATERIALIZED (
      SELECT id, name FROM api_key
      WHERE account_id = ${accountId} AND ${contains(Prisma.sql`search_text`, search)} ${ofGroup}
    ), ${wholeOf(partsOfKeys(accountId, range, keysOf("matching")))},
    found AS (SELECT whole.*, name FROM whole JOIN matching USING (id))`;
  }
  if (sort !== "name" && search === "") {
    return Prisma.sql`${totals(accountId, filter)}, found AS (SELECT *, NULL::text AS name FROM whole)`;
  }
  const table = Prisma.raw(by === "key" ? "api_key" : "api_key_group");
  const matches = search === "" ? Prisma.sql`true` : contains(Prisma.sql`search_text`, search);
  // What has no name is found by no search.
  return Prisma.sql`${totals(accountId, filter)}, found AS (
      SELECT whole.*, named.name FROM whole ${Prisma.raw(search === "" ? "LEFT JOIN" : "JOIN")} (
        SELECT id, name FROM ${table} WHERE account_id = ${accountId} AND ${matches}
      ) AS named USING (id)
    )`;
}

/**
 * The same of keys by name. It walks the keys in the order of their names and stops after the page, and adds up what the keys
 * of the page spent. Of the others it reads only that they spent.
 */
function keysByName(
  accountId: AccountId,
  { range, groupId }: TotalsFilter,
  { order }: TotalsOrder,
  page: Page,
): Prisma.Sql {
  const scope = groupId === undefined ? everyKey : keysOf("member");
  const before = groupId === undefined ? Prisma.empty : Prisma.sql`${membersOf(accountId, groupId)},`;
  const parts = partsOfKeys(accountId, range, scope);
  const byName = Prisma.raw(`ORDER BY name ${order}, id`);
  // In a comparison, the sub-select is a look-up for each key, so that the walk keeps its order. Nothing else looks a key up.
  const spenders = (isRevoked: Prisma.Sql) => Prisma.sql`(
        SELECT id, name FROM api_key
        WHERE account_id = ${accountId} AND ${isRevoked} AND (id IN (SELECT id FROM spender)) IS TRUE
        ${byName} LIMIT ${page.page * page.pageSize}
      )`;
  return Prisma.sql`${openDays(accountId, range)}, ${before} spender AS MATERIALIZED (
      SELECT DISTINCT id FROM ${parts} WHERE captures > 0
    ), listed AS MATERIALIZED (
      SELECT * FROM (
        ${spenders(Prisma.sql`revoked_at IS NULL`)} UNION ALL ${spenders(Prisma.sql`revoked_at IS NOT NULL`)}
      ) AS named ${byName} ${limit(page)}
    ), ${wholeOf(partsOfKeys(accountId, range, keysOf("listed")))},
    shown AS (SELECT whole.*, name FROM whole JOIN listed USING (id)),
    counted AS (
      SELECT (SELECT count(*)::int FROM spender) AS row_count, ${sums} AS sums
      FROM (SELECT spent, captures, ${tokens(() => "NULL::bigint")} FROM ${
        groupId === undefined ? partsOfAccount(accountId, range) : parts
      }) AS part
    )`;
}

/** Common table expressions. The last one is `whole`: `id`, `spent`, `captures` and tokens of each that had a capture. */
export function totals(
  accountId: AccountId,
  { range, by, groupId }: Pick<TotalsFilter, "range" | "by" | "groupId">,
): Prisma.Sql {
  if (by === "model") {
    return Prisma.sql`${partsOfModels(accountId, range, groupId)}, whole AS (
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
        : [membersOf(accountId, groupId), partsOfKeys(accountId, range, keysOf("member"))];
  return Prisma.sql`${openDays(accountId, range)}, ${before ? Prisma.sql`${before},` : Prisma.empty} ${wholeOf(parts)}`;
}

/** The common table expression `whole` of parts without tokens. */
function wholeOf(parts: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`whole AS (
      SELECT id, sum(spent) AS spent, sum(captures) AS captures, ${tokens(() => "NULL::bigint")}
      FROM ${parts} GROUP BY id HAVING sum(captures) > 0
    )`;
}

function tokens(of: (column: string) => string): Prisma.Sql {
  return Prisma.raw(TOKEN_COLUMNS.map((column) => `${of(column)} AS ${column}`).join(", "));
}
