import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { KeySample } from "./key-sample";
import { comparedValue, type KeyOrder } from "./order";
import { isRevoked } from "./state";

/** Where a page is: behind `offset` keys, counted from an end of the list. */
export interface PagePlace {
  fromEnd: boolean;
  offset: number;
  limit: number;
}

/** To sort this many keys takes no longer than to read a sample. */
export const DEEP = 10_000;
/** How many of the keys of a page of the table the sample takes: keys that were created together may be alike. */
const SHARE_TAKEN = 0.2;

/**
 * The ids of a page far from both ends of a list that no index has the order of: `SELECT account_id, id …`. To sort all keys
 * takes longer than to read them. So the values near the page are taken from a sample; then the keys before these are
 * counted, and the keys among them are sorted. The page is exact. Where the sample has missed it, there are fewer than
 * `limit` rows, and the caller has to sort all keys.
 * @param conditions of the rows `key` that are listed, beside that of the account.
 */
export function deepPage(
  accountId: AccountId,
  conditions: readonly Prisma.Sql[],
  order: KeyOrder,
  { fromEnd, offset, limit }: PagePlace,
  { percent, kept }: KeySample,
): Prisma.Sql {
  const isAscending = (order.order === "asc") !== fromEnd;
  const [direction, until, from] = (isAscending ? ["ASC", "<=", ">="] : ["DESC", ">=", "<="]).map((word) =>
    Prisma.raw(word),
  );
  const value = comparedValue(accountId, order);
  const isListed = Prisma.join(conditions, " AND ");
  const isFromFirst = Prisma.sql`(${value}, key.id) ${from} ((SELECT value FROM first), (SELECT id FROM first))`;
  const isUntilLast = Prisma.sql`(${value}, key.id) ${until} ((SELECT value FROM last), (SELECT id FROM last))`;
  return Prisma.sql`WITH sampled AS MATERIALIZED (
      SELECT key.id, ${value} AS value, ${isListed} AS is_listed, NOT ${Prisma.raw(isRevoked)} AS is_kept
      FROM api_key key TABLESAMPLE SYSTEM (${percent})
      WHERE key.account_id = ${accountId} AND random() < ${SHARE_TAKEN}
    ), ranked AS MATERIALIZED (
      SELECT value, id, row_number() OVER (ORDER BY value ${direction}, id ${direction}) AS place
      FROM sampled WHERE is_listed
    ), page AS MATERIALIZED (
      -- Its place in the sample is by chance: of independent keys, half of the root of their number beside the true one. Keys of
      -- one page are alike, so it may be some times as far.
      SELECT count(*) FILTER (WHERE is_kept) * ${offset}::float8 / ${kept} AS place,
        count(*) FILTER (WHERE is_listed) AS listed,
        3 * sqrt(count(*) FILTER (WHERE is_listed)) AS deviation
      FROM sampled
    ), first AS MATERIALIZED (
      SELECT value, id FROM ranked WHERE place = (SELECT greatest(1, floor(page.place - deviation)) FROM page)
    ), last AS MATERIALIZED (
      SELECT value, id FROM ranked WHERE place = (SELECT least(listed, ceil(page.place + deviation)) FROM page)
    ), found AS MATERIALIZED (
      SELECT count(*) AS until_last, array_agg(key.id) FILTER (WHERE ${isFromFirst}) AS ids,
        array_agg(${value}) FILTER (WHERE ${isFromFirst}) AS values
      FROM api_key key WHERE key.account_id = ${accountId} AND ${isListed} AND ${isUntilLast}
    ), counted AS MATERIALIZED (
      SELECT until_last - cardinality(ids) AS before FROM found
    )
    SELECT ${accountId} AS account_id, near.id
    FROM counted, found, unnest(found.ids, found.values) AS near(id, value)
    WHERE counted.before <= ${offset}
    ORDER BY near.value ${direction}, near.id ${direction}
    LIMIT ${limit} OFFSET (SELECT greatest(0, ${offset} - before) FROM counted)`;
}
