import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";

/**
 * The condition that a row belongs to one of the accounts of a batch. It stands at every table of a statement that has an
 * account, beside the condition that looks the row up. A database that is distributed by account reads from it which
 * server has the rows: it follows no account through a join (docs/decisions/led-by-account.md).
 *
 * With a collation that the indexes do not have, PostgreSQL checks the condition on the row that it has looked up, and
 * cannot take it for a reason to read all rows of these accounts.
 * @param row the name of a row with a column `account_id`.
 * @param accounts the parameter with the accounts: `text[]`.
 */
export function isOfAccounts(row: string, accounts: `$${number}`): string {
  return `${row}.account_id COLLATE "C" = ANY(${accounts})`;
}

/** The same for the one account of a statement. @param account what stands for its id: a parameter. */
export function isOfOneAccount(row: string, account: string): string {
  return `${row}.account_id COLLATE "C" = ${account}`;
}

/** The same for a statement of Prisma, beside a condition that joins the row to another one. */
export function isOfAccount(row: string, accountId: AccountId): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(isOfOneAccount(row, ""))}${accountId}`;
}

/**
 * The same, by the account's row, where one index finds few rows and others find all rows of the account. PostgreSQL does not
 * see which account it is, and expects an average one. To one that it does not know, all these indexes would look as good.
 */
export function isOfLookedUpAccount(row: string, accountId: AccountId): Prisma.Sql {
  return Prisma.sql`${isOfAccount(row, accountId)}
    AND ${Prisma.raw(`${row}.account_id`)} = (SELECT id FROM account WHERE id = ${accountId})`;
}
