import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { UsageBy } from "./schema";

// The names of what usage lists. With a limit these are no joins: PostgreSQL looks each row up, whatever it believes of the
// tables.

/** A key of the account, for `LATERAL`. @param id an expression of its id. */
export const keyNamed = (accountId: AccountId, id: Prisma.Sql) => Prisma.sql`(
        SELECT name, search_text, group_id FROM api_key WHERE account_id = ${accountId} AND api_key.id = ${id} LIMIT 1
      )`;

/** The same of a group. */
export const groupNamed = (accountId: AccountId, id: Prisma.Sql) => Prisma.sql`(
        SELECT name, search_text FROM api_key_group WHERE account_id = ${accountId} AND api_key_group.id = ${id} LIMIT 1
      )`;

/** Joins to the rows `shown` the rows `key` and `own` (a group) that have its id. */
export const joinShown = (accountId: AccountId, by: UsageBy) => {
  const idOf = (kind: UsageBy) => (by === kind ? Prisma.sql`shown.id` : Prisma.sql`NULL`);
  return Prisma.sql`LEFT JOIN LATERAL ${keyNamed(accountId, idOf("key"))} AS key ON true
    LEFT JOIN LATERAL ${groupNamed(accountId, idOf("group"))} AS own ON true`;
};
