import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { isOfAccount } from "../db/account-scope";
import { countUpToLimit } from "../db/bounded-count";
import type { Database, Transaction } from "../db/client";
import { allowLargeRead, readLarge } from "../db/large-read";
import { contains } from "../db/search";
import { countKeys } from "../groups/count-queries";
import type { FoundPage, Page } from "../input/page";
import type { Key, KeyLook, KeySort, KeyStatus } from "./schema";
import { isOfLook, isOfStatus, keyRelations, keySelection, mayBe } from "./selection";
import { isRevoked } from "./state";

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

/** The order of a list of keys. Keys with the same value are ordered by their id; unset values come last. */
export interface KeyOrder {
  sort: KeySort;
  order: "asc" | "desc";
}

/** The sorts that an index has the order of. For the others, the database reads all keys that match. */
const INDEXED_SORTS: readonly KeySort[] = ["created_at", "name"];

/** A page of the account's keys, and how many match in all. Groups and spend are read for the page alone. */
export async function listKeys(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  { sort, order }: KeyOrder,
  { page, pageSize }: Page,
): Promise<FoundPage<Key>> {
  const needsZone = filter.status !== undefined || filter.look !== undefined;
  const account = needsZone ? Prisma.sql`JOIN account ON account.id = key.account_id` : Prisma.empty;
  const found = Prisma.sql`FROM api_key key ${account}
    WHERE ${Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...conditions(accountId, filter)], " AND ")}`;
  const asked = orderBy(sort, order);
  const isIndexed = INDEXED_SORTS.includes(sort);
  const isPlain = filter.search === undefined && filter.status === undefined && filter.look === undefined;
  const offset = (page - 1) * pageSize;
  const pageFrom = (client: Transaction, order: Prisma.Sql, limit: number, offset: number) =>
    client.$queryRaw<Key[]>`
    SELECT ${keySelection(accountId)} FROM (
      SELECT key.account_id, key.id ${found} ${order} LIMIT ${limit} OFFSET ${offset}
    ) AS shown
    JOIN api_key key ON ${isOfAccount("key", accountId)} AND key.account_id = shown.account_id AND key.id = shown.id ${keyRelations(accountId)} ${asked}`;
  const readPage = () => {
    const query = pageFrom(db.prisma, asked, pageSize, offset);
    return isIndexed && isPlain ? query : readLarge(db, query as Prisma.PrismaPromise<Key[]>);
  };
  if (!isPlain) {
    const [counted, data] = await Promise.all([countUpToLimit(db, found), readPage()]);
    return { data, ...counted };
  }
  const group = filter.group === "none" ? "" : filter.group;
  const total = await countKeys(db.prisma, accountId, group);
  // By an index, the database also finds the far pages of a group at once.
  const isFar = offset > total / 2 && (group === undefined || !isIndexed);
  if (!isFar) return { data: await readPage(), total };
  // The end of the list is nearer. The number is asked again, because it and the page must be of the same moment.
  return db.prisma.$transaction(
    async (transaction) => {
      if (!isIndexed) await allowLargeRead(transaction);
      const total = await countKeys(transaction, accountId, group);
      const limit = Math.max(0, Math.min(pageSize, total - offset));
      const data = await pageFrom(transaction, reversed(sort, order), limit, Math.max(0, total - offset - pageSize));
      return { data, total };
    },
    { isolationLevel: "RepeatableRead" },
  );
}

function orderBy(sort: KeySort, order: "asc" | "desc"): Prisma.Sql {
  return orderOf(sort, order, "NULLS LAST");
}

/** The order of the same list from its end. */
function reversed(sort: KeySort, order: "asc" | "desc"): Prisma.Sql {
  return orderOf(sort, order === "asc" ? "desc" : "asc", "NULLS FIRST");
}

function orderOf(sort: KeySort, order: "asc" | "desc", unset: "NULLS FIRST" | "NULLS LAST"): Prisma.Sql {
  // The names of columns are those of KEY_SORTS, and never what a request sent.
  const direction = Prisma.raw(order);
  // A column of an index is never unset. With words about it, PostgreSQL would not see the order of the index.
  const place = INDEXED_SORTS.includes(sort) ? Prisma.empty : Prisma.raw(unset);
  return Prisma.sql`ORDER BY key.account_id ${direction}, key.${Prisma.raw(sort)} ${direction} ${place},
    key.id ${direction}`;
}

/** The next keys that match, newest first, after a given key. Unlike a page number, this is fast at any depth. */
export async function listKeysAfter(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  after: string | undefined,
  count: number,
): Promise<Key[]> {
  const where = Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...conditions(accountId, filter)], " AND ");
  const behind =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`AND (key.created_at, key.id) < (
          SELECT created_at, id FROM api_key WHERE account_id = ${accountId} AND id = ${after})`;
  return db.prisma.$queryRaw<Key[]>`
    SELECT ${keySelection(accountId)} FROM api_key key ${keyRelations(accountId)} WHERE ${where} ${behind}
    ORDER BY key.account_id DESC, key.created_at DESC, key.id DESC LIMIT ${count}`;
}

function conditions(accountId: AccountId, { search, group, status, look }: KeyFilter): Prisma.Sql[] {
  const found = [status === undefined ? Prisma.sql`NOT ${Prisma.raw(isRevoked)}` : isOfStatus(status)];
  // The index says of each key exactly whether it is unlimited.
  if (look !== undefined && look !== "unlimited") found.push(isOfLook(look));
  for (const name of [status, look]) {
    const candidates = name && mayBe(accountId, name);
    if (candidates !== undefined) found.push(candidates);
  }
  if (search !== undefined && search !== "") found.push(...hasText(search));
  if (group === "none") found.push(Prisma.sql`key.group_id IS NULL`);
  else if (group !== undefined) found.push(Prisma.sql`key.group_id = ${group}`);
  return found;
}

/** The conditions that the name or the id of a key contains a text. */
function hasText(search: string): Prisma.Sql[] {
  // Without three letters or digits in a row, PostgreSQL would read the whole index of trigrams, and then each key. An
  // expression keeps it from that index.
  const text = /[0-9A-Za-z]{3}/.test(search) ? Prisma.sql`key.search_text` : Prisma.sql`(key.search_text || '')`;
  return [contains(text, search), ...hasCharacters(search)];
}

/** The ids of some keys whose name or id contains a text, revoked ones too; no more than `most`. */
export async function findKeyIds(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  most: number,
): Promise<string[]> {
  const query = db.prisma.$queryRaw<{ id: string }[]>`SELECT key.id FROM api_key key
    WHERE ${Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...hasText(search)], " AND ")} LIMIT ${most}`;
  return (await readLarge(db, query)).map(({ id }) => id);
}

/** The condition that the index of characters beyond ASCII answers: a text has each character of its parts. */
function hasCharacters(search: string): Prisma.Sql[] {
  // Capitals, as in `search_text`.
  const characters = [...search.normalize("NFC").toUpperCase()].filter((character) => character > "\u007f");
  return characters.length === 0 ? [] : [Prisma.sql`key.search_characters @> ${characters}::text[]`];
}

/** A key of the account, revoked ones too, and until when a value from before a rotation works. */
export async function findKey(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
): Promise<(Key & { previous_value_until: number | null }) | undefined> {
  const rows = await db.prisma.$queryRaw<(Key & { previous_value_until: number | null })[]>`
    SELECT ${keySelection(accountId)},
      (SELECT floor(extract(epoch FROM max(secret.expires_at)))::float8 FROM key_secret secret
        WHERE ${isOfAccount("secret", accountId)} AND secret.account_id = key.account_id AND secret.key_id = key.id AND secret.expires_at > now()
          AND NOT ${Prisma.raw(isRevoked)}
      ) AS previous_value_until
    FROM api_key key ${keyRelations(accountId)}
    WHERE key.account_id = ${accountId} AND key.id = ${apikeyId}`;
  return rows[0];
}
