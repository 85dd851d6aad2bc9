import { AsyncLocalStorage } from "node:async_hooks";
import type { Prisma, PrismaClient } from "@/prisma/generated/client";
import type { Transaction } from "../db/client";
import { isUniqueViolation } from "../db/unique-violation";
import type { Failure } from "../errors/failure";
import { requestErrors } from "../errors/request-errors";
import type { Action } from "../history/action";
import { recordEvent } from "../history/recording";
import { newObjectId } from "../input/new-object-id";
import type { AccountId } from "./account-id";
import { createAccount } from "./accounts";
import { endPendingSignIns, findPassword, holdSignIns, joinSignIns } from "./queries";

/** A request at `/api/auth` that better-auth works on, and what became known of it. */
export interface Visit {
  address: string | null;
  /** Path below `/api/auth`. */
  path: string;
  /** Whether the browser was signed in before. */
  isSignedIn: boolean;
  /** The email that the visitor wants to sign in with. */
  email?: string | undefined;
  /** The account that the visitor wants to sign in to, once it is known. */
  accountId?: string;
  /** Whether a session was opened and not ended again, as it is where a second factor is wanted. */
  isOpened?: boolean;
  /** better-auth's name of the waiting sign-in that a second factor is presented for. */
  pending?: string;
  /** The stored password that better-auth compares with, or that there was when a second factor was presented. */
  compared?: { accountId: string; password: string | null };
  /** The error of a database that is away. better-auth hides some of them. */
  outage?: unknown;
}

/** The request that better-auth works on. */
export const visitor = new AsyncLocalStorage<Visit>();

/** With what a sign-in begins. */
export type SignInMethodName = "password" | "passkey" | "single_sign_on";

/** better-auth's name of a sign-in that waits for a second factor. The counts of its attempts have another one. */
const PENDING = /^2fa-(?!attempts-|method-)/;

/** With what a request at this path begins a sign-in. */
export function methodOf(path: string): SignInMethodName {
  if (path.startsWith("/passkey/")) return "passkey";
  return path === "/callback/oidc" ? "single_sign_on" : "password";
}

/** Names the row that says how a waiting sign-in was begun. */
export function nameOfMethod(pending: string): string {
  return `2fa-method-${pending}`;
}

/**
 * The database client that better-auth gets. A change of a way to sign in, and a sign-out, is written to the history in the
 * same transaction. An account of a single sign-on is created by `createAccount`, like every other account. What better-auth
 * reads tells whose sign-in it works on.
 */
export function recordingClient(prisma: PrismaClient, keyPrefix: string): PrismaClient {
  const recorded = prisma.$extends({
    query: {
      account: {
        async findFirst({ args, query }) {
          const account = await query(args);
          note(account?.id);
          return account;
        },
        async create({ args }) {
          const { email, emailVerified, name } = args.data;
          const by = { kind: "browser" as const, address: addressOfVisitor() };
          const created = await createAccount({ prisma }, { email, isProven: emailVerified === true, keyPrefix, by });
          return prisma.account.update({ where: { id: created.account_id }, data: { name: name ?? "" } });
        },
        update({ args }) {
          const { where, data } = args;
          const { twoFactorEnabled } = data;
          return prisma.$transaction(async (transaction) => {
            if (typeof twoFactorEnabled !== "boolean") return transaction.account.update(args);
            await holdCompared(transaction);
            const before = await transaction.account.findUnique({ where, select: { twoFactorEnabled: true } });
            const account = await transaction.account.update(args);
            // better-auth deletes what codes are compared with in a step of its own, in which another request could turn it on.
            if (twoFactorEnabled) await requireSecondFactor(transaction, { userId: account.id });
            else await transaction.twoFactor.deleteMany({ where: { userId: account.id } });
            // better-auth turns it off also where it is off.
            if (twoFactorEnabled !== (before?.twoFactorEnabled ?? false)) {
              const action = twoFactorEnabled ? "sign_in.totp_enabled" : "sign_in.totp_disabled";
              await record(transaction, account.id, action);
            }
            return account;
          });
        },
      },
      signInMethod: {
        async findFirst({ args, query }) {
          const method = await query(args);
          noteCompared(method);
          return method;
        },
        async findMany({ args, query }) {
          const methods = await query(args);
          noteCompared(methods.find(({ providerId }) => providerId === "credential"));
          return methods;
        },
        create({ args }) {
          // The product never calls the provider for the account, so the provider's tokens are not stored.
          const { accessToken, refreshToken, idToken, ...data } = args.data;
          return prisma
            .$transaction(async (transaction) => {
              const method = await transaction.signInMethod.create({ ...args, data } as typeof args);
              await record(transaction, method.userId, "sign_in.sso_linked", { provider: method.providerId });
              return method;
            })
            .catch(refuseSecondLink);
        },
        update({ args }) {
          return prisma.$transaction(async (transaction) => {
            if (args.data.password !== undefined) await holdCompared(transaction);
            const method = await transaction.signInMethod.update(args);
            if (args.data.password !== undefined) {
              noteCompared(method);
              await endPendingSignIns(transaction, method.userId as AccountId);
              await record(transaction, method.userId, "sign_in.password_changed");
            }
            return method;
          });
        },
      },
      twoFactor: {
        // better-auth has seen that there is none. Of two that are set up at once, the second replaces the first, because an
        // account with two secrets would ask for codes of the one or of the other.
        create({ args }) {
          return prisma.$transaction(async (transaction) => {
            await holdCompared(transaction);
            const { userId = "" } = args.data;
            const kept = await transaction.twoFactor.findFirst({ where: { userId }, select: { id: true } });
            if (kept === null) return transaction.twoFactor.create(args);
            const { id, ...data } = args.data;
            return transaction.twoFactor.update({ where: { id: kept.id }, data });
          });
        },
        update({ args }) {
          const { path } = visitor.getStore() ?? {};
          const isRenewal = path === "/two-factor/generate-backup-codes" && args.data.backupCodes !== undefined;
          return prisma.$transaction(async (transaction) => {
            if (isRenewal) {
              await holdCompared(transaction);
              await requireSecondFactor(transaction, { id: args.where.id ?? "" });
            }
            const factor = await transaction.twoFactor.update(args);
            if (isRenewal) await record(transaction, factor.userId, "sign_in.backup_codes_renewed");
            return factor;
          });
        },
      },
      passkey: {
        async findFirst({ args, query }) {
          const passkey = await query(args);
          note(passkey?.userId);
          return passkey;
        },
        create({ args }) {
          return prisma.$transaction(async (transaction) => {
            const passkey = await transaction.passkey.create(args);
            await record(transaction, passkey.userId, "sign_in.passkey_added", { name: passkey.name ?? "" });
            return passkey;
          });
        },
      },
      session: {
        async create({ args }) {
          const session = await prisma.$transaction(async (transaction) => {
            await requireUnchanged(transaction, args.data.userId ?? "");
            return transaction.session.create(args);
          });
          note(session.userId);
          const visit = visitor.getStore();
          if (visit) visit.isOpened = true;
          return session;
        },
        async deleteMany({ args, query }) {
          const visit = visitor.getStore();
          if (visit) visit.isOpened = false;
          if (visit?.path !== "/sign-out") return query(args);
          return prisma.$transaction(async (transaction) => {
            const { where = {} } = args;
            const found = await transaction.session.findMany({ where, select: { id: true, userId: true } });
            let count = 0;
            for (const { id, userId } of found) {
              const ended = await transaction.session.deleteMany({ where: { id } });
              if (ended.count > 0) await record(transaction, userId, "sign_in.signed_out");
              count += ended.count;
            }
            return { count };
          });
        },
      },
      verification: {
        async findMany({ args, query }) {
          const found = await query(args);
          const visit = visitor.getStore();
          const { identifier, value: accountId } = found.find((row) => PENDING.test(row.identifier ?? "")) ?? {};
          if (visit && identifier !== undefined && accountId !== undefined) {
            visit.pending = identifier;
            // Read after the waiting sign-in, which a change of the password ends: what changes from now on is noticed.
            visit.compared = { accountId, password: await findPassword(prisma, accountId) };
          }
          return found;
        },
        // How the sign-in was begun is not known any more when the second factor comes.
        create({ args, query }) {
          const { identifier, expiresAt, value: accountId } = args.data;
          const visit = visitor.getStore();
          if (!visit || !PENDING.test(identifier)) return query(args);
          return prisma.$transaction(async (transaction) => {
            await requireUnchanged(transaction, accountId);
            const data = {
              id: newObjectId(),
              identifier: nameOfMethod(identifier),
              value: methodOf(visit.path),
              expiresAt,
            };
            await transaction.verification.create({ data, select: { id: true } });
            return transaction.verification.create(args);
          });
        },
      },
    },
  });
  return recorded as unknown as PrismaClient;
}

/** Two links of one account at the same time: the database keeps the first. */
async function refuseSecondLink(error: unknown): Promise<never> {
  if (!isUniqueViolation(error)) throw error;
  return refuse(requestErrors.alreadyLinked());
}

/** Throws a failure in the form that better-auth throws. */
async function refuse({ status, message, code }: Failure): Promise<never> {
  // Only a request to better-auth comes here, and the start must not wait for it.
  const { APIError } = await import("better-auth/api");
  throw new APIError(status as ConstructorParameters<typeof APIError>[0], { message, code });
}

/**
 * Lets a step of a sign-in be taken only while the account is not disabled and still has the password that was compared, which
 * takes a tenth of a second. Whoever disables the account or replaces the password ends its sessions, and must not miss one.
 */
async function requireUnchanged(transaction: Transaction, accountId: string): Promise<void> {
  if (await joinSignIns(transaction, accountId)) await refuse(requestErrors.accountDisabled());
  await requireCompared(transaction, accountId, requestErrors.wrongCredentials());
}

/**
 * Lets what the password was asked for be done only while the account still has the password that was compared. It holds
 * sign-ins back, as whoever replaces the password does, because two that join them could not both go on to change the account.
 */
async function holdCompared(transaction: Transaction): Promise<void> {
  const compared = visitor.getStore()?.compared;
  if (compared === undefined) return;
  await holdSignIns(transaction, compared.accountId);
  await requireCompared(transaction, compared.accountId, requestErrors.wrongPassword());
}

/** Refuses where the second factor that a request has found was turned off meanwhile. */
async function requireSecondFactor(transaction: Transaction, where: Prisma.TwoFactorWhereInput): Promise<void> {
  if ((await transaction.twoFactor.count({ where })) === 0) await refuse(requestErrors.secondFactorOff());
}

/** Refuses where the password of the account is another one than the one that was compared. */
async function requireCompared(transaction: Transaction, accountId: string, failure: Failure): Promise<void> {
  const compared = visitor.getStore()?.compared;
  if (compared?.accountId !== accountId) return;
  if ((await findPassword(transaction, accountId)) !== compared.password) await refuse(failure);
}

/** Notes the password that better-auth compares with. */
function noteCompared(
  method: { providerId?: string; userId?: string; password?: string | null } | null | undefined,
): void {
  const visit = visitor.getStore();
  if (visit && method?.providerId === "credential" && method.userId !== undefined) {
    visit.compared = { accountId: method.userId, password: method.password ?? null };
  }
}

/** Notes the account that the visitor wants to sign in to. */
function note(accountId: string | undefined): void {
  const visit = visitor.getStore();
  if (visit && accountId !== undefined) visit.accountId = accountId;
}

function addressOfVisitor(): string | null {
  return visitor.getStore()?.address ?? null;
}

async function record(
  transaction: Transaction,
  accountId: string,
  action: Action,
  after: Record<string, string> = {},
): Promise<void> {
  const { email } = await transaction.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  const actor = { kind: "browser" as const, name: email, address: addressOfVisitor() };
  await recordEvent(transaction, accountId as AccountId, actor, { action, after });
}
