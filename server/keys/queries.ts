import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { contains } from "../db/search";
import type { Page } from "../input/page";
import type { Key, KeyLook, KeySort, KeyStatus } from "./schema";
import { isOfLook, isOfStatus, keyRelations, keySelection } from "./selection";
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

/** A page of the account's keys, and how many match in all. Groups and spend are read for the page alone. */
export async function listKeys(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  { sort, order }: KeyOrder,
  { page, pageSize }: Page,
): Promise<{ data: Key[]; total: number }> {
  const needsZone = filter.status !== undefined || filter.look !== undefined;
  const account = needsZone ? Prisma.sql`JOIN account ON account.id = key.account_id` : Prisma.empty;
  const found = Prisma.sql`FROM api_key key ${account}
    WHERE ${Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...conditions(filter)], " AND ")}`;
  const direction = Prisma.raw(order);
  // The names of columns are those of KEY_SORTS, and never what a request sent.
  const last = sort === "name" || sort === "created_at" ? Prisma.empty : Prisma.raw("NULLS LAST");
  const ordered = Prisma.sql`ORDER BY key.account_id ${direction}, key.${Prisma.raw(sort)} ${direction} ${last},
    key.id ${direction}`;
  const [counted, data] = await Promise.all([
    db.prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${found}`,
    db.prisma.$queryRaw<Key[]>`
      SELECT ${keySelection} FROM (
        SELECT key.account_id, key.id ${found} ${ordered} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
      ) AS shown
      JOIN api_key key ON key.account_id = shown.account_id AND key.id = shown.id ${keyRelations} ${ordered}`,
  ]);
  return { data, total: counted[0]?.total ?? 0 };
}

/** The next keys that match, newest first, after a given key. Unlike a page number, this is fast at any depth. */
export async function listKeysAfter(
  db: Database,
  accountId: AccountId,
  filter: KeyFilter,
  after: string | undefined,
  count: number,
): Promise<Key[]> {
  const where = Prisma.join([Prisma.sql`key.account_id = ${accountId}`, ...conditions(filter)], " AND ");
  const behind =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`AND (key.created_at, key.id) < (
          SELECT created_at, id FROM api_key WHERE account_id = ${accountId} AND id = ${after})`;
  return db.prisma.$queryRaw<Key[]>`
    SELECT ${keySelection} FROM api_key key ${keyRelations} WHERE ${where} ${behind}
    ORDER BY key.account_id DESC, key.created_at DESC, key.id DESC LIMIT ${count}`;
}

function conditions({ search, group, status, look }: KeyFilter): Prisma.Sql[] {
  const found = [status === undefined ? Prisma.sql`NOT ${Prisma.raw(isRevoked)}` : isOfStatus(status)];
  if (look !== undefined) found.push(isOfLook(look));
  if (search !== undefined && search !== "") {
    found.push(contains(Prisma.sql`key.search_text`, search));
  }
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
    SELECT ${keySelection},
      (SELECT floor(extract(epoch FROM max(secret.expires_at)))::float8 FROM key_secret secret
        WHERE secret.account_id = key.account_id AND secret.key_id = key.id AND secret.expires_at > now()
      ) AS previous_value_until
    FROM api_key key ${keyRelations}
    WHERE key.account_id = ${accountId} AND key.id = ${apikeyId}`;
  return rows[0];
}
