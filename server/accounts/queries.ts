import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { findTimeZone } from "../db/known-time-zone";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import type { Outcome } from "../outcome";
import type { Account, FirstSteps, Session, SignInMethods } from "./schema";

const SHOWN = {
  id: true,
  email: true,
  timeZone: true,
  language: true,
  gatewayUrl: true,
  twoFactorEnabled: true,
  createdAt: true,
  keys: { where: { isDefault: true }, select: { id: true } },
} satisfies Prisma.AccountSelect;

/** The account, with the id of its default key. */
export async function findAccount({ prisma }: Database, accountId: AccountId): Promise<Account> {
  return shown(await prisma.account.findUniqueOrThrow({ where: { id: accountId }, select: SHOWN }));
}

/** Settings to change. An absent one stays; a language of `null` is that of the browser. */
export interface Settings {
  /** A name of the IANA list, in any letter case. */
  timeZone: string | undefined;
  language: Account["language"] | undefined;
  /** `null`: that of the operator. */
  gatewayUrl: string | null | undefined;
}

/** Changes settings of the account, with an event that has the values before. Without a difference there is no event. */
export async function updateSettings(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  { timeZone: asked, language, gatewayUrl }: Settings,
): Promise<Outcome<{ account: Account }, Failure>> {
  const timeZone = asked && (await findTimeZone(db.pool, asked));
  if (asked !== undefined && timeZone === undefined) return { ok: false, reason: errors.unknownTimeZone() };
  return db.prisma.$transaction(async (transaction) => {
    const [old] = await transaction.$queryRaw<
      { time_zone: string; language: string | null; gateway_url: string | null }[]
    >`
      SELECT time_zone, language, gateway_url FROM account WHERE id = ${accountId} FOR UPDATE`;
    if (old === undefined) throw new Error("the account is gone");
    const after = {
      ...(timeZone !== undefined && timeZone !== old.time_zone && { time_zone: timeZone }),
      ...(language !== undefined && language !== old.language && { language }),
      ...(gatewayUrl !== undefined && gatewayUrl !== old.gateway_url && { gateway_url: gatewayUrl }),
    };
    const changed = Object.keys(after) as (keyof typeof old)[];
    if (changed.length > 0) {
      const before = Object.fromEntries(changed.map((name) => [name, old[name]]));
      await recordEvent(transaction, accountId, actor, { action: "account.settings_changed", before, after });
    }
    const data = {
      ...(timeZone !== undefined && { timeZone }),
      ...(language !== undefined && { language }),
      ...(gatewayUrl !== undefined && { gatewayUrl }),
      ...(changed.length > 0 && { updatedAt: new Date() }),
    };
    const updated = await transaction.account.update({ where: { id: accountId }, data, select: SHOWN });
    return { ok: true, account: shown(updated) };
  });
}

/**
 * Which of its first steps the account has done. Each is found by the beginning of a primary key, and ends at its first row.
 * What was spent outlives the authorizations, so it counts as a call too.
 */
export async function findFirstSteps({ prisma }: Database, accountId: AccountId): Promise<FirstSteps> {
  const [row] = await prisma.$queryRaw<FirstSteps[]>`
    SELECT EXISTS (SELECT FROM api_key_group WHERE account_id = ${accountId}) AS "group",
      EXISTS (SELECT FROM api_key WHERE account_id = ${accountId} AND NOT is_default) AS key,
      EXISTS (SELECT FROM account WHERE id = ${accountId} AND gateway_url IS NOT NULL) AS gateway,
      EXISTS (SELECT FROM "authorization" WHERE account_id = ${accountId})
        OR EXISTS (SELECT FROM key_day WHERE account_id = ${accountId}) AS call`;
  if (row === undefined) throw new Error("a SELECT without FROM has one row");
  return row;
}

/** The browsers that are signed in, the last used first. */
export async function listSessions({ prisma }: Database, accountId: AccountId, current: string): Promise<Session[]> {
  const rows = await prisma.session.findMany({
    where: { userId: accountId, expiresAt: { gt: new Date() } },
    select: { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
  });
  return rows.map(({ id, ipAddress, userAgent, createdAt, updatedAt }) => ({
    id,
    current: id === current,
    address: ipAddress || null,
    user_agent: userAgent || null,
    created_at: inSeconds(createdAt),
    last_used_at: inSeconds(updatedAt),
  }));
}

/** Which sessions to end: one of them, or all but one. */
type SessionChoice = { only: string } | { allBut: string };

/** Ends sessions of the account, with an event that has their number. @returns their number, without those that were over. */
export async function revokeSessions(
  { prisma }: Database,
  accountId: AccountId,
  actor: Actor,
  choice: SessionChoice,
): Promise<number> {
  const chosen = "only" in choice ? Prisma.sql`id = ${choice.only}` : Prisma.sql`id <> ${choice.allBut}`;
  return prisma.$transaction(async (transaction) => {
    const ended = await transaction.$queryRaw<{ was_valid: boolean }[]>`
      DELETE FROM session WHERE account_id = ${accountId} AND ${chosen} RETURNING expires_at > now() AS was_valid`;
    const count = ended.filter((session) => session.was_valid).length;
    const event = { action: "sign_in.session_revoked", after: { sessions: count } } as const;
    if (count > 0) await recordEvent(transaction, accountId, actor, event);
    return count;
  });
}

/** How the account signs in. */
export async function findSignInMethods({ prisma }: Database, accountId: AccountId): Promise<SignInMethods> {
  const { twoFactorEnabled, signInMethods, passkeys } = await prisma.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      twoFactorEnabled: true,
      signInMethods: { select: { providerId: true, createdAt: true } },
      passkeys: { select: { id: true, name: true, createdAt: true }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
    },
  });
  const linked = signInMethods.find(({ providerId }) => providerId !== "credential");
  return {
    has_password: signInMethods.some(({ providerId }) => providerId === "credential"),
    two_factor_enabled: twoFactorEnabled ?? false,
    single_sign_on: linked === undefined ? null : { linked_at: inSeconds(linked.createdAt) },
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      id,
      name: name ?? "",
      created_at: inSeconds(createdAt ?? new Date(0)),
    })),
  };
}

/** Gives a passkey another name, with its event. Without a difference there is no event. */
export async function renamePasskey(
  { prisma }: Database,
  accountId: AccountId,
  actor: Actor,
  { id, name }: { id: string; name: string },
): Promise<Outcome<object, Failure>> {
  return prisma.$transaction(async (transaction) => {
    const [old] = await transaction.$queryRaw<{ name: string | null }[]>`
      SELECT name FROM passkey WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
    if (old === undefined) return { ok: false, reason: errors.noSuchPasskey() };
    if (old.name === name) return { ok: true };
    await transaction.passkey.updateMany({ where: { userId: accountId, id }, data: { name } });
    const before = { name: old.name ?? "" };
    await recordEvent(transaction, accountId, actor, { action: "sign_in.passkey_renamed", before, after: { name } });
    return { ok: true };
  });
}

/** Removes a passkey, with its event. The last way to sign in stays. */
export async function removePasskey(
  { prisma }: Database,
  accountId: AccountId,
  actor: Actor,
  id: string,
): Promise<Outcome<object, Failure>> {
  return prisma.$transaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const passkey = await transaction.passkey.findFirst({ where: { userId: accountId, id }, select: { name: true } });
    if (passkey === null) return { ok: false, reason: errors.noSuchPasskey() };
    if ((await countSignInMethods(transaction, accountId)) < 2) return { ok: false, reason: errors.lastSignInMethod() };
    await transaction.passkey.deleteMany({ where: { userId: accountId, id } });
    const before = { name: passkey.name ?? "" };
    await recordEvent(transaction, accountId, actor, { action: "sign_in.passkey_removed", before });
    return { ok: true };
  });
}

/** Ends the link of the account to the provider of single sign-on, with its event. The last way to sign in stays. */
export async function unlinkSingleSignOn(
  { prisma }: Database,
  accountId: AccountId,
  actor: Actor,
): Promise<Outcome<object, Failure>> {
  return prisma.$transaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const linked = { userId: accountId, providerId: { not: "credential" } };
    const method = await transaction.signInMethod.findFirst({ where: linked, select: { providerId: true } });
    if (method === null) return { ok: false, reason: errors.notLinked() };
    if ((await countSignInMethods(transaction, accountId)) < 2) return { ok: false, reason: errors.lastSignInMethod() };
    await transaction.signInMethod.deleteMany({ where: linked });
    const before = { provider: method.providerId };
    await recordEvent(transaction, accountId, actor, { action: "sign_in.sso_unlinked", before });
    return { ok: true };
  });
}

/** Two ways to sign in that are removed at the same time are removed one after the other. */
async function lockAccount(transaction: Transaction, accountId: AccountId): Promise<void> {
  await transaction.$queryRaw`SELECT id FROM account WHERE id = ${accountId} FOR UPDATE`;
}

async function countSignInMethods(transaction: Transaction, accountId: AccountId): Promise<number> {
  const where = { userId: accountId };
  return (await transaction.signInMethod.count({ where })) + (await transaction.passkey.count({ where }));
}

function shown(row: Prisma.AccountGetPayload<{ select: typeof SHOWN }>): Account {
  const [defaultKey] = row.keys;
  if (defaultKey === undefined) throw new Error("the account has no default key");
  return {
    account_id: row.id,
    email: row.email,
    time_zone: row.timeZone,
    language: row.language as Account["language"],
    gateway_url: row.gatewayUrl,
    two_factor_enabled: row.twoFactorEnabled ?? false,
    default_apikey_id: defaultKey.id,
    created_at: inSeconds(row.createdAt),
  };
}

function inSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
