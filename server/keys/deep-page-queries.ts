import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Transaction } from "../db/client";
import { countKeys } from "../groups/count-queries";
import { comparedValue, type KeyOrder } from "./order";
import { isRevoked } from "./state";

/** Where a page is: behind `offset` keys, counted from an end of the list. */
export interface PagePlace {
  fromEnd: boolean;
  offset: number;
  limit: number;
}

/** A part of the table of keys that is read first. */
interface Sample {
  /** How many of 100 pages of the table it reads. */
  percent: number;
  /** How many keys of the account are not revoked. It tells which part of them was found in the sample. */
  kept: number;
}

/** To sort this many keys takes no longer than to read a sample. */
export const DEEP = 10_000;
/** How many keys a sample reads, of all accounts; of each page it takes a fifth of them. */
const MOST_READ = 100_000;
const SHARE_TAKEN = 0.2;
/** With fewer of the account, nearly half of the keys would be near the page. */
const LEAST_TAKEN = 400;

/**
 * The sample by which a page is found behind more than `DEEP` keys, where this is faster than to sort all keys: the account has
 * a large part of all keys.
 */
export async function sampleFor(
  transaction: Transaction,
  accountId: AccountId,
  { offset }: PagePlace,
): Promise<Sample | undefined> {
  const kept = await countKeys(transaction, accountId, undefined);
  // What PostgreSQL believes of the table: -1 before it has looked, and 0 where the keys are on other servers.
  const [table] = await transaction.$queryRaw<{ keys: number }[]>`
    SELECT reltuples::float8 AS keys FROM pg_class WHERE oid = 'api_key'::regclass`;
  const keys = table?.keys ?? 0;
  if (keys <= 0 || offset >= kept) return undefined;
  const percent = Math.min(10, (100 * MOST_READ) / keys);
  return (kept * SHARE_TAKEN * percent) / 100 < LEAST_TAKEN ? undefined : { percent, kept };
}

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
  { percent, kept }: Sample,
): Prisma.Sql {
  const isAscending = (order.order === "asc") !== fromEnd;
  const [direction, until, from] = (isAscending ? ["ASC", "<=", ">="] : ["DESC", ">=", "<="]).map((word) =>
    Prisma.raw(word),
  );
  const value = comparedValue(accountId, order);
  const isListed = Prisma.join(conditions, " AND ");
  const isFromFirst = Prisma.sql`(${value}, key.id) ${from} ((SELECT value FROM first), (SELECT id FROM first))`;
  const isUntilLast = Prisma.sql`(${value}, key.id) ${until} ((SELECT value FROM last), (SELECT id FROM last))`;
  // Keys that were created together stand together, and may be alike. So many pages of the table are read, and few keys of each.
  return Prisma.sql`WITH sampled AS MATERIALIZED (
      SELECT key.id, ${value} AS value, ${isListed} AS is_listed, NOT ${Prisma.raw(isRevoked)} AS is_kept
      FROM api_key key TABLESAMPLE SYSTEM (${percent})
      WHERE key.account_id = ${accountId} AND random() < ${SHARE_TAKEN}
    ), ranked AS MATERIALIZED (
      SELECT value, id, row_number() OVER (ORDER BY value ${direction}, id ${direction}) AS place
      FROM sampled WHERE is_listed
    ), page AS MATERIALIZED (
      -- Its place in the sample is by chance. Of keys that are independent of each other, it is hardly ever further off.
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
