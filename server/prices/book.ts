import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Transaction } from "../db/client";

/** Where prices are kept: the operator's catalogue, or an account's. */
export interface Book {
  source: "operator" | "account";
  table: Prisma.Sql;
  /** The columns that tell whose prices they are, and their values, each before a comma. */
  owner: { columns: Prisma.Sql; values: Prisma.Sql };
  /** The condition that a row is of this book. */
  isOfBook: Prisma.Sql;
  /** Keeps other changes of the book waiting until the transaction ends. */
  lock(transaction: Transaction): Promise<unknown>;
  /** Tells every process that the prices have changed. */
  raiseVersion(transaction: Transaction): Promise<unknown>;
}

/** The prices of the operator, which count for every account. */
export const OPERATORS_BOOK: Book = {
  source: "operator",
  table: Prisma.raw("operator_price"),
  owner: { columns: Prisma.empty, values: Prisma.empty },
  isOfBook: Prisma.sql`true`,
  lock: (transaction) => transaction.$queryRaw`SELECT id FROM operator_catalogue WHERE id = 1 FOR NO KEY UPDATE`,
  raiseVersion: (transaction) =>
    transaction.$executeRaw`UPDATE operator_catalogue SET prices_version = prices_version + 1 WHERE id = 1`,
};

/** The prices of an account. */
export function bookOf(accountId: AccountId): Book {
  return {
    source: "account",
    table: Prisma.raw("account_price"),
    owner: {
      columns: Prisma.raw("account_id,"),
      values: Prisma.sql`${accountId},`,
    },
    isOfBook: Prisma.sql`account_id = ${accountId}`,
    lock: (transaction) => transaction.$queryRaw`SELECT id FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`,
    raiseVersion: (transaction) =>
      transaction.$executeRaw`UPDATE account SET prices_version = prices_version + 1 WHERE id = ${accountId}`,
  };
}
