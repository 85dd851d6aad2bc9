import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { KeySample } from "./key-sample";
import { comparedValue, type KeyOrder } from "./order";
import { isRevoked } from "./state";

// Pages of lists that no index has the order of. To sort all keys takes longer than to read them, so a sample of them says which
// values the page has. The pages are exact. Where the sample has missed one, there are fewer than `limit` rows, and the caller
// has to sort all keys.

/** Where a page is: behind `offset` keys, counted from an end of the list. */
export interface PagePlace {
  fromEnd: boolean;
  offset: number;
  limit: number;
}

/** To sort so many keys takes no longer than to count those before the page. */
const MOST_SORTED = 10_000;
/** About how many keys a block of the table has. Keys that were created together may be alike, and all of them in the sample. */
const KEYS_OF_BLOCK = 30;
/** For the same reason, the sample for a far page takes only some keys of each block. */
const SHARE_TAKEN = 0.2;

/** Whether a page is far from both ends of a list, and found by `farPage`. */
export function isFar({ offset }: PagePlace): boolean {
  return offset > MOST_SORTED;
}

/**
 * The ids of a page near an end: `SELECT id …`. A key of the sample is surely behind the page. Most keys are compared
 * with this one alone, and neither sorted nor asked for the rest of the conditions.
 * @param conditions of the rows `key` that are listed, beside that of the account.
 */
export function nearPage(
  accountId: AccountId,
  conditions: readonly Prisma.Sql[],
  order: KeyOrder,
  place: PagePlace,
  { percent }: KeySample,
): Prisma.Sql {
  const { value, isListed, direction, until } = inOrder(accountId, conditions, order, place);
  const { offset, limit } = place;
  // So many keys of the sample are before the end of the page on average, and hardly ever as many as are passed over.
  const sampled = ((offset + limit) * percent) / 100;
  const passed = Math.ceil(sampled + 3 * Math.sqrt(KEYS_OF_BLOCK * sampled)) + 3 * KEYS_OF_BLOCK;
  return Prisma.sql`WITH behind AS MATERIALIZED (
      SELECT ${value} AS value, key.id FROM api_key key TABLESAMPLE SYSTEM (${percent})
      WHERE key.account_id = ${accountId} AND ${isListed}
      ORDER BY value ${direction}, key.id ${direction} LIMIT 1 OFFSET ${passed}
    )
    SELECT key.id FROM api_key key
    WHERE EXISTS (SELECT FROM behind) AND key.account_id = ${accountId}
      AND (${value}, key.id) ${until} ((SELECT value FROM behind), (SELECT id FROM behind)) AND ${isListed}
    ORDER BY ${value} ${direction}, key.id ${direction}
    LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * The ids of a page far from both ends, in the same form. The values near the page are taken from the sample; then the keys
 * before these are counted, and the keys among them are sorted.
 * @param conditions as of `nearPage`.
 */
export function farPage(
  accountId: AccountId,
  conditions: readonly Prisma.Sql[],
  order: KeyOrder,
  place: PagePlace,
  { percent, kept }: KeySample,
): Prisma.Sql {
  const { value, isListed, direction, until, from } = inOrder(accountId, conditions, order, place);
  const { offset, limit } = place;
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
      -- one block may be alike, so it may be some times as far.
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
    SELECT near.id
    FROM counted, found, unnest(found.ids, found.values) AS near(id, value)
    WHERE counted.before <= ${offset}
    ORDER BY near.value ${direction}, near.id ${direction}
    LIMIT ${limit} OFFSET (SELECT greatest(0, ${offset} - before) FROM counted)`;
}

/** The words of the statements for an order, counted from the end that the place names. */
function inOrder(
  accountId: AccountId,
  conditions: readonly Prisma.Sql[],
  order: KeyOrder,
  { fromEnd }: PagePlace,
): Record<"value" | "isListed" | "direction" | "until" | "from", Prisma.Sql> {
  const isAscending = (order.order === "asc") !== fromEnd;
  const [direction, until, from] = isAscending ? ["ASC", "<=", ">="] : ["DESC", ">=", "<="];
  return {
    value: comparedValue(accountId, order),
    isListed: Prisma.join(conditions, " AND "),
    direction: Prisma.raw(direction),
    until: Prisma.raw(until),
    from: Prisma.raw(from),
  };
}
