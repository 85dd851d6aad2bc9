import type { Database } from "../db/client";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import type { AccountId } from "./account-id";
import { AccountError } from "./accounts";
import { endSessions } from "./queries";

/** An account that an operator has named. */
export interface NamedAccount {
  id: AccountId;
  email: string;
  disabledAt: Date | null;
  /** Since when it is being deleted. */
  deletedAt: Date | null;
}

/**
 * The account of an email, in any letter case, or of an id.
 * @throws {AccountError} when there is none.
 */
export async function namedAccount({ prisma }: Pick<Database, "prisma">, name: string): Promise<NamedAccount> {
  const isId = /^[0-9a-f]{24}$/.test(name);
  const account = await prisma.account.findUnique({
    where: isId ? { id: name } : { email: name.trim().toLowerCase() },
    select: { id: true, email: true, disabledAt: true, deletedAt: true },
  });
  if (!account) throw new AccountError(`there is no account for ${name}`);
  return { ...account, id: account.id as AccountId };
}

/** Whether an account is disabled now. */
export async function isAccountDisabled({ prisma }: Pick<Database, "prisma">, id: string): Promise<boolean> {
  const account = await prisma.account.findUnique({ where: { id }, select: { disabledAt: true } });
  return account?.disabledAt != null;
}

/**
 * Disables an account, with the event: every process refuses its keys and its owner from then on, and its sessions end.
 * @returns false when it was disabled already.
 */
export async function disableAccount(
  { prisma }: Pick<Database, "prisma">,
  { id }: NamedAccount,
  by: Actor,
): Promise<boolean> {
  return prisma.$transaction(async (transaction) => {
    const count = await transaction.$executeRaw`
      UPDATE account SET disabled_at = now() WHERE id = ${id} AND disabled_at IS NULL`;
    await endSessions(transaction, id);
    if (count > 0) await recordEvent(transaction, id, by, { action: "account.disabled" });
    return count > 0;
  });
}

/**
 * Enables an account again, with the event.
 * @returns false when it was not disabled.
 * @throws {AccountError} when it is being deleted.
 */
export async function enableAccount(
  { prisma }: Pick<Database, "prisma">,
  { id, email, deletedAt }: NamedAccount,
  by: Actor,
): Promise<boolean> {
  if (deletedAt !== null) throw new AccountError(`the account ${email} is being deleted, and cannot be enabled`);
  return prisma.$transaction(async (transaction) => {
    const { count } = await transaction.account.updateMany({
      where: { id, disabledAt: { not: null }, deletedAt: null },
      data: { disabledAt: null },
    });
    if (count > 0) await recordEvent(transaction, id, by, { action: "account.enabled" });
    return count > 0;
  });
}

/** An account, as the list of them shows it. */
export interface ListedAccount {
  account_id: string;
  email: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** Keys that are not revoked, the default key among them. */
  keys: number;
  state: "active" | "disabled" | "being deleted";
}

const PAGE = 1_000;

/** Every account, the oldest first, in pages. */
export async function* listAccounts({ pool }: Pick<Database, "pool">): AsyncGenerator<ListedAccount[]> {
  for (let last = ""; ; ) {
    const { rows } = await pool.query<Omit<ListedAccount, "created_at"> & { created_at: Date }>(LIST, [last, PAGE]);
    if (rows.length > 0) yield rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.account_id ?? "";
  }
}

/** The next accounts after the id `$1`, at most `$2`. Ids begin with the time of the creation. */
const LIST = `
  SELECT account.id AS account_id, account.email, account.created_at,
    ((SELECT coalesce(sum(keys), 0) FROM key_count WHERE account_id = account.id)
      + (SELECT coalesce(sum(keys), 0) FROM key_count_change WHERE account_id = account.id))::float8 AS keys,
    CASE WHEN deleted_at IS NOT NULL THEN 'being deleted' WHEN disabled_at IS NOT NULL THEN 'disabled' ELSE 'active' END AS state
  FROM (SELECT * FROM account WHERE id > $1 ORDER BY id LIMIT $2) account
  ORDER BY account.id`;
