import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { joinAccount } from "../db/account-row";
import { isOfAccount, isOfLookedUpAccount } from "../db/account-scope";
import { countUpToLimit } from "../db/bounded-count";
import type { Database, Transaction } from "../db/client";
import { allowLargeRead, readLarge } from "../db/large-read";
import { countKeys } from "../groups/count-queries";
import { COUNT_LIMIT, type FoundPage, type Page } from "../input/page";
import { estimateKeys } from "./estimate-queries";
import { type KeySample, LEAST_SAMPLED, MOST_READ, sampleOf } from "./key-sample";
import {
  isAfter,
  isAtEnd,
  isIndexed,
  type KeyOrder,
  orderBy,
  orderOfValues,
  orderValue,
  placeValue,
  reversed,
} from "./order";
import type { KeyPlace } from "./place";
import { farPage, isFar, nearPage, type PagePlace } from "./sampled-page-queries";
import type { Key, KeyLook, KeyStatus } from "./schema";
import { hasText, isFoundByReading, shareReading } from "./search-queries";
import { isInGroup, isOfLook, isOfStatus, keyRelations, keySelection, mayBe } from "./selection";
import { isRevoked, isValid } from "./state";

/** Which keys of an account are listed. */
export interface KeyFilter {
  /** A part of the name or of the id, in any letter case. */
  search: string | undefined;
  /** A group, or "none" for the keys in no group. */
  group: string | undefined;
  /** Absent: every key that is not revoked. */
  status: KeyStatus | undefined;
  look: KeyLook | undefined;
}

/** Every key that is not revoked. */
export const EVERY_KEY: KeyFilter = { search: undefined, group: undefined, status: undefined, look: undefined };

/** A page of the account's keys, and how many match in all. Groups and spend are read for the page alone. */
export async function listKeys(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  order: KeyOrder,
  { page, pageSize }: Page,
): Promise<FoundPage<Key>> {
  const offset = (page - 1) * pageSize;
  const place = { fromEnd: false, offset, limit: pageSize };
  if (isFound(accountId, filter, order)) {
    const found = await listFound(db, accountId, filter, order, place);
    return (
      found ?? { data: await readPage(db, accountId, filter, order, place), total: COUNT_LIMIT, isTotalExact: false }
    );
  }
  if (!isPlain(filter)) {
    const counting = countUpToLimit(db, matching(accountId, filter));
    const [counted, data] = await Promise.all([counting, readPage(db, accountId, filter, order, place)]);
    return { data, ...counted };
  }
  const group = groupOf(filter);
  const total = await countKeys(db.prisma, accountId, group);
  if (filter.group === "none" && total < LEAST_SAMPLED) {
    const found = await listFound(db, accountId, filter, order, place);
    if (found) return found;
  }
  // By an index, the database also finds the far pages of a group at once.
  const isBehindMiddle = offset > total / 2 && (group === undefined || !isIndexed(order.sort));
  if (!isBehindMiddle) return { data: await readPage(db, accountId, filter, order, place, total), total };
  // The end of the list is nearer. The number is asked again, because it and the page must be of the same moment.
  return db.prisma.$transaction(
    async (transaction) => {
      if (!isIndexed(order.sort)) await allowLargeRead(transaction);
      const total = await countKeys(transaction, accountId, group);
      const limit = Math.max(0, Math.min(pageSize, total - offset));
      const place = { fromEnd: true, offset: Math.max(0, total - offset - pageSize), limit };
      return { data: await findPage(transaction, accountId, filter, order, place, total), total };
    },
    { isolationLevel: "RepeatableRead" },
  );
}

/** Up to so many keys of a search, or of a status or look that an index knows, are found for a page. */
const MOST_FOUND = 200_000;
/** Of a text that no index knows. Where more have it, a page is soon full of them in any order. */
const MOST_FOUND_BY_READING = COUNT_LIMIT;

/** These have an index in the order of creation, so that a page in this order is walked to at once. */
const LISTED_BY_CREATION = ["revoked", "unlimited"];

/** Whether a search, or an index of the status or look, finds the keys. Most keys fulfil the other conditions. */
function isFound(accountId: AccountId, { search = "", status, look }: KeyFilter, { sort }: KeyOrder): boolean {
  const isFoundByIndex = (name: KeyStatus | KeyLook | undefined) => {
    if (name === undefined) return false;
    return LISTED_BY_CREATION.includes(name) ? sort !== "created_at" : mayBe(accountId, name) !== undefined;
  };
  return search !== "" || isFoundByIndex(status) || isFoundByIndex(look);
}

/**
 * The same of keys that are found. One reading finds and counts them, and sorts those of the page. To walk through an index in
 * the order of the page would take less time where many are found, and may lead through all keys where few are.
 * Undefined: too many match.
 */
function listFound(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  order: KeyOrder,
  { offset, limit }: PagePlace,
): Promise<FoundPage<Key> | undefined> {
  return db.prisma.$transaction(
    async (transaction) => {
      await allowLargeRead(transaction);
      // No index knows the keys in no group.
      const isReading = isPlain(filter) || isFoundByReading(filter.search);
      if (isReading) await shareReading(transaction);
      const most = isReading ? MOST_FOUND_BY_READING : MOST_FOUND;
      const matched = matching(accountId, filter, candidates(accountId, filter));
      const [found] = await transaction.$queryRaw<{ count: number; ids: string[] }[]>`
        WITH found AS MATERIALIZED (
          SELECT key.id, ${orderValue(accountId, order.sort)} AS value ${matched} LIMIT ${most + 1}
        ), counted AS MATERIALIZED (SELECT count(*)::int AS count FROM found)
        SELECT count, ARRAY(
          SELECT id FROM found WHERE count <= ${most} ${orderOfValues(order)} LIMIT ${limit} OFFSET ${offset}
        ) AS ids FROM counted`;
      const { count, ids } = found ?? { count: 0, ids: [] };
      if (count > most) return undefined;
      const shown = Prisma.sql`SELECT unnest(${ids}::text[]) AS id`;
      const data = await keysOfPage(transaction, accountId, shown, orderBy(accountId, order, limit));
      return { data, total: Math.min(count, COUNT_LIMIT), isTotalExact: count <= COUNT_LIMIT };
    },
    { isolationLevel: "RepeatableRead" },
  );
}

const isPlain = ({ search, status, look }: KeyFilter) =>
  search === undefined && status === undefined && look === undefined;

/** The group as `countKeys` names it. */
const groupOf = ({ group }: KeyFilter) => (group === "none" ? "" : group);

/** @param counted how many keys the account or the group of the filter has, where that is known. */
async function readPage(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  order: KeyOrder,
  place: PagePlace,
  counted?: number,
): Promise<Key[]> {
  if (!isIndexed(order.sort)) {
    const number = counted ?? (await countKeys(db.prisma, accountId, groupOf(filter)));
    if (number >= LEAST_SAMPLED) {
      return db.prisma.$transaction(async (transaction) => {
        await allowLargeRead(transaction);
        return findPage(transaction, accountId, filter, order, place, number);
      });
    }
  }
  const keys = keysLookedAt(accountId, filter, counted);
  const query = sortedPage(db.prisma, accountId, filter, order, place, { keys });
  return isIndexed(order.sort) && isPlain(filter) ? query : readLarge(db, query);
}

/**
 * In a transaction that may read much.
 * @param counted as of `readPage`.
 */
async function findPage(
  transaction: Transaction,
  accountId: AccountId,
  filter: KeyFilter,
  order: KeyOrder,
  place: PagePlace,
  counted: number,
): Promise<Key[]> {
  const isSampled = counted >= LEAST_SAMPLED && !isIndexed(order.sort);
  const atEnd = isSampled && !isFar(place) ? isAtEnd(accountId, order, place.fromEnd) : undefined;
  if (atEnd !== undefined) {
    const data = await sortedPage(transaction, accountId, filter, order, place, { among: atEnd });
    if (data.length === place.limit) return data;
  }
  const sample = isSampled ? await findSample(transaction, accountId, filter, place, counted) : undefined;
  if (sample !== undefined) {
    const sampledPage = isFar(place) ? farPage : nearPage;
    const ids = sampledPage(accountId, conditions(accountId, filter), order, place, sample);
    const data = await keysOfPage(transaction, accountId, ids, orderBy(accountId, order, place.limit));
    if (data.length === place.limit) return data;
  }
  return sortedPage(transaction, accountId, filter, order, place);
}

/** The sample by which a page is found. None is needed behind the last key. */
async function findSample(
  transaction: Transaction,
  accountId: AccountId,
  filter: KeyFilter,
  place: PagePlace,
  counted: number,
): Promise<KeySample | undefined> {
  if (place.offset >= counted) return undefined;
  const kept = filter.group === undefined ? counted : await countKeys(transaction, accountId, undefined);
  return sampleOf(kept, await estimateKeys(transaction), isFar(place) ? MOST_READ.far : MOST_READ.near);
}

/**
 * The page, of all keys in order.
 * @param among a further condition of the keys.
 * @param keys where they are looked for.
 */
function sortedPage(
  client: Transaction,
  accountId: AccountId,
  filter: KeyFilter,
  order: KeyOrder,
  { fromEnd, offset, limit }: PagePlace,
  { among = Prisma.sql`true`, keys }: { among?: Prisma.Sql; keys?: Prisma.Sql } = {},
): Prisma.PrismaPromise<Key[]> {
  const depth = offset + limit;
  const asked = orderBy(accountId, order, depth);
  const walked = fromEnd ? reversed(accountId, order, depth) : asked;
  const ids = Prisma.sql`
    SELECT key.id ${matching(accountId, filter, keys)} AND ${among} ${walked} LIMIT ${limit} OFFSET ${offset}`;
  return keysOfPage(client, accountId, ids, asked);
}

/** @param ids the keys of the page: `SELECT id …`. */
function keysOfPage(
  client: Transaction,
  accountId: AccountId,
  ids: Prisma.Sql,
  asked: Prisma.Sql,
): Prisma.PrismaPromise<Key[]> {
  return client.$queryRaw<Key[]>`
    SELECT ${keySelection(accountId)} FROM ${shownKeys(accountId, ids)} ${keyRelations(accountId)} ${asked}`;
}

/**
 * The rows `key` of a page. With a limit it is no join: PostgreSQL looks each key up, whatever it believes of their number.
 * @param ids as of `keysOfPage`.
 */
const shownKeys = (accountId: AccountId, ids: Prisma.Sql) => Prisma.sql`(${ids}) AS shown
    CROSS JOIN LATERAL (SELECT * FROM api_key WHERE account_id = ${accountId} AND id = shown.id LIMIT 1) AS key`;

/**
 * The next keys that match, in an order, after a place. Unlike a page number, this is fast at any depth where an index has
 * the order; elsewhere each chunk costs as much as the first one.
 */
export async function listKeysAfter(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  order: KeyOrder,
  after: KeyPlace | undefined,
  count: number,
): Promise<{ data: Key[]; last: KeyPlace | undefined }> {
  const asked = orderBy(accountId, order, count);
  const group = wholeGroup(filter);
  const counted = group === undefined ? undefined : await countKeys(db.prisma, accountId, group);
  const keys = keysLookedAt(accountId, filter, counted);
  const behind = after === undefined ? Prisma.sql`true` : isAfter(accountId, order, after);
  const ids = Prisma.sql`SELECT key.id ${matching(accountId, filter, keys)} AND ${behind} ${asked} LIMIT ${count}`;
  const query = db.prisma.$queryRaw<(Key & { place: string | null })[]>`
    SELECT ${keySelection(accountId)}, ${placeValue(accountId, order.sort)} AS place
    FROM ${shownKeys(accountId, ids)} ${keyRelations(accountId)} ${asked}`;
  const rows = await (isIndexed(order.sort) ? query : readLarge(db, query));
  const end = rows.at(-1);
  return {
    data: rows.map(({ place: _, ...key }) => key),
    last: end && { value: end.place, apikeyId: end.apikey_id },
  };
}

/**
 * The rows `key` that match: `FROM … WHERE …`.
 * @param keys where they are looked for.
 */
function matching(accountId: AccountId, filter: KeyFilter, keys = Prisma.sql`api_key`): Prisma.Sql {
  return Prisma.sql`FROM ${keys} key
    WHERE ${Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...conditions(accountId, filter)], " AND ")}`;
}

/** Up to so many keys of a group are read all, and sorted. */
const FEW_OF_GROUP = 2_000;

/** The group of which all keys are listed. Undefined: of another list. */
const wholeGroup = (filter: KeyFilter) => (isPlain(filter) && filter.group !== "none" ? filter.group : undefined);

/**
 * Where the keys of a list are looked for: those of a group that has few, and otherwise all keys. To walk through all keys of
 * the account in the order of the page looks as good to a PostgreSQL that does not know the account.
 * @param counted how many keys the list has, where that is known.
 */
function keysLookedAt(accountId: AccountId, filter: KeyFilter, counted: number | undefined): Prisma.Sql {
  const group = wholeGroup(filter);
  if (group === undefined || counted === undefined || counted > FEW_OF_GROUP) return Prisma.sql`api_key`;
  return Prisma.sql`(
      SELECT * FROM api_key key WHERE ${isInGroup(accountId, group)} AND NOT ${Prisma.raw(isRevoked)} OFFSET 0
    )`;
}

/**
 * The keys of the account that may match, where the index of a status or look knows them, and otherwise all keys. Of a search,
 * its own index may find fewer.
 */
function candidates(accountId: AccountId, { search = "", status, look }: KeyFilter): Prisma.Sql {
  const found = [status, look].flatMap(
    (name) => (name && !LISTED_BY_CREATION.includes(name) && mayBe(accountId, name)) || [],
  );
  if (found.length === 0 || search !== "") return Prisma.sql`api_key`;
  return Prisma.sql`(
      SELECT * FROM api_key key
      WHERE ${isOfLookedUpAccount("key", accountId)} AND ${Prisma.join(found, " AND ")} OFFSET 0
    )`;
}

/** How many keys match. Counting stops at `most`. */
export function countMatchingKeys(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  most: number,
): Promise<{ total: number; isTotalExact: boolean }> {
  return countUpToLimit(db, matching(accountId, filter, candidates(accountId, filter)), most);
}

/**
 * How many keys are at a limit (`exhausted`), and how many active ones spent 80 % of one (`over_80`). They are counted in one
 * pass, because the same index finds them, and reading their rows is what takes time.
 * @param most where counting stops: of both together, after twice as many.
 */
export async function countKeysNearLimit(
  db: Database,
  accountId: AccountId,
  most: number,
): Promise<{ atLimit: number; nearLimit: number; isExact: boolean }> {
  const filter: KeyFilter = { search: undefined, group: undefined, status: undefined, look: "over_80" };
  const where = Prisma.join(
    [Prisma.sql`key.account_id = ${accountId}`, Prisma.raw(isValid), ...conditions(accountId, filter)],
    " AND ",
  );
  const [found] = await readLarge(
    db,
    db.prisma.$queryRaw<{ at_limit: number; near_limit: number }[]>`
      SELECT count(*) FILTER (WHERE is_exhausted)::int AS at_limit,
        count(*) FILTER (WHERE NOT is_exhausted)::int AS near_limit
      FROM (
        SELECT ${isOfStatus(accountId, "exhausted")} AS is_exhausted
        FROM ${candidates(accountId, filter)} key ${joinAccount(accountId)} WHERE ${where} LIMIT ${2 * most + 1}
      ) AS counted`,
  );
  const { at_limit: atLimit, near_limit: nearLimit } = found ?? { at_limit: 0, near_limit: 0 };
  return { atLimit, nearLimit, isExact: atLimit + nearLimit <= 2 * most };
}

/** What keys that match a filter fulfil: conditions of the rows `key`. */
export function conditions(accountId: AccountId, { search, group, status, look }: KeyFilter): Prisma.Sql[] {
  const found = [status === undefined ? Prisma.sql`NOT ${Prisma.raw(isRevoked)}` : isOfStatus(accountId, status)];
  // The index says of each key exactly whether it is unlimited.
  if (look !== undefined && look !== "unlimited") found.push(isOfLook(accountId, look));
  for (const name of [status, look]) {
    const candidates = name && mayBe(accountId, name);
    if (candidates !== undefined) found.push(candidates);
  }
  if (search !== undefined && search !== "") found.push(...hasText(search));
  if (group === "none") found.push(Prisma.sql`key.group_id IS NULL`);
  else if (group !== undefined) found.push(Prisma.sql`key.group_id = ${group}`);
  return found;
}

/** A key of the account, revoked ones too, and until when a value from before a rotation works. */
export async function findKey(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
): Promise<(Key & { previous_value_until: number | null }) | undefined> {
  const rows = await db.prisma.$queryRaw<(Key & { previous_value_until: number | null })[]>`
    SELECT ${keySelection(accountId)},
      (SELECT floor(extract(epoch FROM max(earlier.expires_at)))::float8 FROM earlier_value earlier
        WHERE ${isOfAccount("earlier", accountId)} AND earlier.account_id = key.account_id AND earlier.key_id = key.id AND earlier.expires_at > now()
          AND NOT ${Prisma.raw(isRevoked)}
      ) AS previous_value_until
    FROM api_key key ${keyRelations(accountId)}
    WHERE key.account_id = ${accountId} AND key.id = ${apikeyId}`;
  return rows[0];
}
