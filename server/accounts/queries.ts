import type { Prisma } from "../../prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/queries";
import type { Account, AccountSettings } from "./schema";

const SHOWN = {
  id: true,
  email: true,
  timeZone: true,
  language: true,
  twoFactorEnabled: true,
  createdAt: true,
  keys: { where: { isDefault: true }, select: { id: true } },
} satisfies Prisma.AccountSelect;

/** The account itself. */
export async function findAccount({ prisma }: Database, accountId: AccountId): Promise<Account> {
  return shown(await prisma.account.findUniqueOrThrow({ where: { id: accountId }, select: SHOWN }));
}

/** Changes settings of the account, and notes in its history what they were. What changes nothing is not noted. */
export async function updateSettings(
  { prisma }: Database,
  accountId: AccountId,
  actor: Actor,
  { time_zone, language }: AccountSettings,
): Promise<Account | "unknown time zone"> {
  return prisma.$transaction(async (transaction) => {
    if (time_zone !== undefined && !(await isKnownTimeZone(transaction, time_zone))) return "unknown time zone";
    const [old] = await transaction.$queryRaw<{ time_zone: string; language: string | null }[]>`
      SELECT time_zone, language FROM account WHERE id = ${accountId} FOR UPDATE`;
    if (old === undefined) throw new Error("the account is gone");
    const after = {
      ...(time_zone !== undefined && time_zone !== old.time_zone && { time_zone }),
      ...(language !== undefined && language !== old.language && { language }),
    };
    const changed = Object.keys(after) as (keyof typeof old)[];
    if (changed.length > 0) {
      const before = Object.fromEntries(changed.map((name) => [name, old[name]]));
      await recordEvent(transaction, accountId, actor, { action: "account.settings_changed", before, after });
    }
    const data = {
      ...(time_zone !== undefined && { timeZone: time_zone }),
      ...(language !== undefined && { language }),
      ...(changed.length > 0 && { updatedAt: new Date() }),
    };
    return shown(await transaction.account.update({ where: { id: accountId }, data, select: SHOWN }));
  });
}

/** Whether the database knows the zone: it reckons with it, and its list is not quite that of Node.js. */
async function isKnownTimeZone(transaction: Transaction, name: string): Promise<boolean> {
  const found = await transaction.$queryRaw<object[]>`
    SELECT 1 FROM pg_timezone_names WHERE lower(name) = lower(${name}) LIMIT 1`;
  return found.length > 0;
}

function shown(row: Prisma.AccountGetPayload<{ select: typeof SHOWN }>): Account {
  const [defaultKey] = row.keys;
  if (defaultKey === undefined) throw new Error("the account has no default key");
  return {
    account_id: row.id,
    email: row.email,
    time_zone: row.timeZone,
    language: row.language as Account["language"],
    two_factor_enabled: row.twoFactorEnabled ?? false,
    default_apikey_id: defaultKey.id,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
  };
}
