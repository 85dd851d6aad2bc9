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

/** The state of an account as operators see it. The keys and the owner of one that is not active are refused. */
export function stateOf({ disabledAt, deletedAt }: Pick<NamedAccount, "disabledAt" | "deletedAt">) {
  if (deletedAt !== null) return "being deleted";
  return disabledAt === null ? "active" : "disabled";
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
  state: ReturnType<typeof stateOf>;
}

const PAGE = 1_000;

/** Every account, the oldest first, in pages. */
export async function* listAccounts({ pool }: Pick<Database, "pool">): AsyncGenerator<ListedAccount[]> {
  for (let last = ""; ; ) {
    const { rows } = await pool.query<AccountRow>(LIST, [last, PAGE]);
    // A statement of its own: the counts may be on other servers than the accounts.
    const { rows: counted } = await pool.query<{ account_id: string; keys: number }>(COUNTS, [
      rows.map(({ account_id }) => account_id),
    ]);
    const keys = new Map(counted.map((count) => [count.account_id, count.keys]));
    if (rows.length > 0) {
      yield rows.map(({ account_id, email, created_at, ...times }) => ({
        account_id,
        email,
        created_at: created_at.toISOString(),
        keys: keys.get(account_id) ?? 0,
        state: stateOf(times),
      }));
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.account_id ?? "";
  }
}

interface AccountRow extends Pick<NamedAccount, "disabledAt" | "deletedAt"> {
  account_id: string;
  email: string;
  created_at: Date;
}

/** The next accounts after the id `$1`, at most `$2`. Ids begin with the time of the creation. */
const LIST = `
  SELECT id AS account_id, email, created_at, disabled_at AS "disabledAt", deleted_at AS "deletedAt"
  FROM account WHERE id > $1 ORDER BY id LIMIT $2`;

/** How many keys the accounts `$1` have. */
const COUNTS = `
  SELECT account_id, sum(keys)::float8 AS keys FROM (
    SELECT account_id, keys FROM key_count WHERE account_id = ANY($1::text[])
    UNION ALL SELECT account_id, keys FROM key_count_change WHERE account_id = ANY($1::text[])
  ) part GROUP BY account_id`;
