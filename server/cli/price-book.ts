import { namedAccount } from "../auth/account-state";
import type { Database } from "../db/client";
import { type Book, bookOf, OPERATORS_BOOK } from "../prices/book";
import type { Recording } from "../prices/change-queries";
import { recordOfOperator } from "../prices/operator-history";
import { recordOfAccount } from "../prices/recording";
import { osUser } from "./os-user";

/**
 * The prices that a command is for, and how a change of them is noted: those of an account, or those of the operator.
 * @param account email or id; undefined: the operator.
 * @throws {AccountError} when there is no such account.
 */
export async function namedBook(
  db: Database,
  account: string | undefined,
  command: "models:import" | "models:delete",
): Promise<{ book: Book; record: Recording }> {
  if (account === undefined) return { book: OPERATORS_BOOK, record: recordOfOperator(command, osUser()) };
  const { id } = await namedAccount(db, account);
  const by = { kind: "command_line", name: command, address: null } as const;
  const action = command === "models:import" ? "models.imported" : "models.deleted";
  return { book: bookOf(id), record: recordOfAccount(id, by, action) };
}
