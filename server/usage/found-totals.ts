import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { contains, nameContains } from "../db/search";
import type { Page } from "../input/page";
import { keysWithText } from "../keys/search-queries";
import type { KeysRead } from "./keys-read";
import { partsOfModels } from "./model-parts";
import { groupNamed, keyNamed } from "./names";
import { TOKEN_COLUMNS, type TotalSort, type UsageBy } from "./schema";
import type { DayRange } from "./spans";
import {
  isAmong,
  membersOf,
  openDaysOfGroups,
  partsOfGroups,
  sinceRollUp,
  totalsOfAll,
  totalsOfThese,
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
  return Prisma.raw(`ORDER BY ${table}.${sort} ${order} NULLS LAST, ${table}.id ${order}`);
}

/**
 * Common table expressions. Two of them are `shown`: `id`, `name`, `spent`, `captures` and tokens of those on a page, where a
 * name may be missing; and `counted`, one row: `row_count` and, as JSON, `sums` of all pages.
 */
export function foundTotals(
  accountId: AccountId,
  filter: TotalsFilter,
  order: TotalsOrder,
  page: Page,
  read: KeysRead,
): Prisma.Sql {
  const { by, search = "" } = filter;
  if (by === "key" && order.sort === "name" && search === "")
    return keysByName(accountId, filter, order, page, read.areMany);
  return Prisma.sql`${found(accountId, filter, order, read)}, shown AS (
      SELECT * FROM found ${orderBy("found", order)} ${limit(page)}
    ), ${countedIn("found")}`;
}

const limit = ({ page, pageSize }: Page) => Prisma.sql`LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;

const countedIn = (expression: "found" | "whole") =>
  Prisma.raw(`counted AS (
      SELECT count(*)::int AS row_count, json_build_object(
        'spent', coalesce(sum(spent), 0)::float8, 'captures', coalesce(sum(captures), 0)::float8,
        ${TOKEN_COLUMNS.map((column) => `'${column}', sum(${column})::float8`).join(", ")}) AS sums
      FROM ${expression}
    )`);

/** Common table expressions. The last one is `found`: the columns of `whole` and `name`. */
function found(
  accountId: AccountId,
  filter: TotalsFilter,
  { sort }: TotalsOrder,
  { found: keys, areMany }: KeysRead,
): Prisma.Sql {
  const { by, search = "" } = filter;
  if (by === "model") {
    const name = Prisma.sql`NULLIF(id, '')`;
    const matches = search === "" ? Prisma.sql`true` : nameContains(name, search);
    return Prisma.sql`${totals(accountId, filter)}, found AS (SELECT *, ${name} AS name FROM whole WHERE ${matches})`;
  }
  if (by === "key" && search !== "") {
    if (keys === undefined) return ofNamedKeys(accountId, filter, search, areMany);
    const ids = keys === "by text" ? keysWithText(accountId, search) : Prisma.sql`SELECT unnest(${keys}::text[]) AS id`;
    return ofFoundKeys(accountId, filter, sort, ids, areMany);
  }
  if (sort !== "name" && search === "") return Prisma.sql`${totals(accountId, filter, areMany)}, ${WITHOUT_NAMES}`;
  // What has no name is found by no search.
  const matches = search === "" ? Prisma.sql`true` : contains(Prisma.sql`named.search_text`, search);
  return Prisma.sql`${totals(accountId, filter)}, found AS (
      SELECT whole.*, named.name FROM whole
      LEFT JOIN LATERAL ${groupNamed(accountId, Prisma.sql`whole.id`)} AS named ON true WHERE ${matches}
    )`;
}

/** For an order that needs no names: those of the page are looked up later. */
const WITHOUT_NAMES = Prisma.sql`found AS (SELECT *, NULL::text AS name FROM whole)`;

/** Only what these keys spent is listed. @param ids a query for the `id` of each key. */
function ofFoundKeys(
  accountId: AccountId,
  { range, groupId }: TotalsFilter,
  sort: TotalSort,
  ids: Prisma.Sql,
  areMany: boolean,
): Prisma.Sql {
  const before = groupId === undefined ? Prisma.empty : membersBefore(accountId, range, groupId);
  const ofGroup = groupId === undefined ? Prisma.empty : Prisma.sql`WHERE ${isAmong("member")}`;
  return Prisma.sql`${before} matching AS MATERIALIZED (SELECT id FROM (${ids}) AS found ${ofGroup}),
    ${wholeOfThese(accountId, range, "matching", areMany)},
    ${sort === "name" ? Prisma.sql`found AS (SELECT whole.*, named.name FROM ${lookedUp(accountId)})` : WITHOUT_NAMES}`;
}

/** Each key that spent is asked for the text. */
function ofNamedKeys(accountId: AccountId, filter: TotalsFilter, search: string, areMany: boolean): Prisma.Sql {
  return Prisma.sql`${totals(accountId, filter, areMany)}, found AS MATERIALIZED (
      SELECT whole.*, named.name FROM ${lookedUp(accountId)} WHERE ${contains(Prisma.sql`named.search_text`, search)}
    )`;
}

/** The rows `whole` with their keys `named`. */
const lookedUp = (accountId: AccountId) =>
  Prisma.sql`whole CROSS JOIN LATERAL ${keyNamed(accountId, Prisma.sql`whole.id`)} AS named`;

/** To look up the names of so many keys takes less time than to walk through all names may take. */
const MOST_LOOKED_UP = 10_000;

/** The same of keys by name. Where many spent, it walks the keys in the order of their names and stops after the page. */
function keysByName(
  accountId: AccountId,
  filter: TotalsFilter,
  { order }: TotalsOrder,
  page: Page,
  isOfMany: boolean,
): Prisma.Sql {
  const byName = Prisma.raw(`ORDER BY name ${order}, id ${order}`);
  const areMany = Prisma.sql`(SELECT row_count FROM counted) > ${MOST_LOOKED_UP}`;
  const named = (isRevoked: Prisma.Sql) => Prisma.sql`(
          SELECT id, name FROM api_key WHERE account_id = ${accountId} AND ${isRevoked} AND ${areMany} ${byName}
        )`;
  // In a comparison, the sub-select is a look-up for each key, so that the walk keeps its order. Nothing else looks a key up.
  // OFFSET keeps it out of the two walks, which would each have a hash table of their own.
  return Prisma.sql`${totals(accountId, filter, isOfMany)}, ${countedIn("whole")}, walked AS MATERIALIZED (
      SELECT * FROM (
        SELECT * FROM (
          ${named(Prisma.sql`revoked_at IS NULL`)} UNION ALL ${named(Prisma.sql`revoked_at IS NOT NULL`)}
        ) AS merged ${byName} OFFSET 0
      ) AS named WHERE (id IN (SELECT id FROM whole)) IS TRUE ${byName} ${limit(page)}
    ), shown AS (
      SELECT whole.*, name FROM whole JOIN walked USING (id)
      UNION ALL (SELECT whole.*, named.name FROM ${lookedUp(accountId)} WHERE NOT ${areMany} ${byName} ${limit(page)})
    )`;
}

/** Common table expressions. The last one is `whole`: `id`, `spent`, `captures` and tokens of each that had a capture. */
export function totals(
  accountId: AccountId,
  { range, by, groupId }: Pick<TotalsFilter, "range" | "by" | "groupId">,
  areMany = false,
): Prisma.Sql {
  if (by === "model") {
    return Prisma.sql`${partsOfModels(accountId, range, groupId)}, whole AS (
      SELECT id, sum(spent) AS spent, sum(captures) AS captures, ${tokens((column) => `sum(${column})`)}
      FROM part GROUP BY id HAVING sum(captures) > 0
    )`;
  }
  if (by === "group") {
    const ofGroup = groupId === undefined ? Prisma.sql`true` : Prisma.sql`id = ${groupId}`;
    return Prisma.sql`${openDaysOfGroups(accountId, range, groupId)}, ${sinceRollUp(accountId, range)}, whole AS (
      SELECT id, sum(spent) AS spent, sum(captures) AS captures, ${tokens(() => "NULL::bigint")}
      FROM ${partsOfGroups(accountId, range)} WHERE ${ofGroup} GROUP BY id HAVING sum(captures) > 0
    )`;
  }
  if (groupId === undefined) return wholeOf(totalsOfAll(accountId, range));
  return Prisma.sql`${membersBefore(accountId, range, groupId)} ${wholeOfThese(accountId, range, "member", areMany)}`;
}

const membersBefore = (accountId: AccountId, range: DayRange, groupId: string) =>
  Prisma.sql`${openDaysOfGroups(accountId, range, groupId)}, ${membersOf(accountId, groupId)},`;

/** The common table expression `whole` of what these keys spent. For `areMany`, see `KeysRead`. */
const wholeOfThese = (accountId: AccountId, range: DayRange, expression: "member" | "matching", areMany: boolean) =>
  wholeOf(totalsOfThese(accountId, range, expression, areMany));

const wholeOf = (query: Prisma.Sql) => Prisma.sql`whole AS (
      SELECT *, ${tokens(() => "NULL::bigint")} FROM (${query}) AS total
    )`;

function tokens(of: (column: string) => string): Prisma.Sql {
  return Prisma.raw(TOKEN_COLUMNS.map((column) => `${of(column)} AS ${column}`).join(", "));
}
