import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { allowLargeRead, readLarge } from "../db/large-read";
import { contains, containsAsRead, inCapitals } from "../db/search";

// A search of keys: the name or the id has a text. Most texts are found by an index of trigrams.

/** Whether no index knows the text, so that keys are read until enough of them have it. */
export function isFoundByReading(search: string | undefined): search is string {
  return search !== undefined && search !== "" && !hasTrigram(search) && isAscii(inCapitals(search));
}

/** Three letters or digits in a row, or two at an end of a word. */
const hasTrigram = (search: string) =>
  /[0-9A-Za-z]{3}|[0-9A-Za-z]{2}[^0-9A-Za-z]|[^0-9A-Za-z][0-9A-Za-z]{2}/.test(search);

/** The conditions that the name or the id of a key contains a text. */
export function hasText(search: string): Prisma.Sql[] {
  // Without a trigram in the text, PostgreSQL would read the whole index of trigrams, and then each key.
  const containsIt = hasTrigram(search) ? contains : containsAsRead;
  return [containsIt(Prisma.sql`key.search_text`, search), ...hasCharacters(search)];
}

/** A query for the `id` of each key of the account whose name or id contains a text. */
export const keysWithText = (accountId: AccountId, search: string) => Prisma.sql`SELECT key.id FROM api_key key
    WHERE ${Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...hasText(search)], " AND ")}`;

/** The ids of some keys whose name or id contains a text, revoked ones too; no more than `most`. */
export async function findKeyIds(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  search: string,
  most: number,
): Promise<string[]> {
  const rows = keysWithText(accountId, search);
  if (!isFoundByReading(search)) {
    return idsOf(await readLarge(db, db.prisma.$queryRaw<{ id: string }[]>`${rows} LIMIT ${most}`));
  }
  // PostgreSQL plans the inner query for all its rows, and reads no more of them than the outer one asks for.
  const query = db.prisma.$queryRaw<{ id: string }[]>`
    WITH found AS MATERIALIZED (${rows}) SELECT id FROM found LIMIT ${most}`;
  const [, , found] = await db.prisma.$transaction([allowLargeRead(db.prisma), shareReading(db.prisma), query]);
  return idsOf(found);
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/**
 * Prepares a transaction for a query that reads all keys and finds few columns of some: PostgreSQL's processes share the work. It
 * believes by default that rows take longer from process to process than keys take to be read. Of short rows this is not so.
 */
export function shareReading(transaction: Transaction): Prisma.PrismaPromise<unknown> {
  return transaction.$queryRaw`SELECT set_config('parallel_tuple_cost', '0.01', true)`;
}

/**
 * The condition that the index of characters beyond ASCII answers: a text has each character of its parts. PostgreSQL makes the
 * capitals, as for the column: its Unicode may be older than that of JavaScript, in which Georgian has capitals.
 */
function hasCharacters(search: string): Prisma.Sql[] {
  if (isAscii(inCapitals(search))) return [];
  const capitals = Prisma.sql`upper(${search.normalize("NFC")}::text COLLATE "und-x-icu")`;
  return [
    Prisma.sql`key.search_characters @> string_to_array(
      regexp_replace(${capitals}, '[\\u0001-\\u007f]', '', 'g') COLLATE "C", NULL)`,
  ];
}

function isAscii(text: string): boolean {
  return [...text].every((character) => character <= "\u007f");
}
