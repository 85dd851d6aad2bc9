import { AsyncLocalStorage } from "node:async_hooks";
import type { PrismaClient } from "@/prisma/generated/client";
import type { Transaction } from "../db/client";
import type { Action } from "../history/action";
import { recordEvent } from "../history/recording";
import type { AccountId } from "./account-id";
import { createAccount } from "./accounts";

/** The visitor whose request better-auth works on. */
export const visitor = new AsyncLocalStorage<{ address: string | null }>();

/**
 * The database client that better-auth gets. A change of a way to sign in is written to the history in the same
 * transaction. An account of a single sign-on is created by `createAccount`, like every other account.
 */
export function recordingClient(prisma: PrismaClient, keyPrefix: string): PrismaClient {
  const recorded = prisma.$extends({
    query: {
      account: {
        async create({ args }) {
          const { email, emailVerified, name } = args.data;
          const by = { kind: "browser" as const, address: addressOfVisitor() };
          const created = await createAccount({ prisma }, { email, isProven: emailVerified === true, keyPrefix, by });
          return prisma.account.update({ where: { id: created.account_id }, data: { name: name ?? "" } });
        },
        update({ args }) {
          const { twoFactorEnabled } = args.data;
          return prisma.$transaction(async (transaction) => {
            const account = await transaction.account.update(args);
            if (typeof twoFactorEnabled === "boolean") {
              const action = twoFactorEnabled ? "sign_in.totp_enabled" : "sign_in.totp_disabled";
              await record(transaction, account.id, action);
            }
            return account;
          });
        },
      },
      signInMethod: {
        create({ args }) {
          // The product never calls the provider for the account, so the provider's tokens are not stored.
          const { accessToken, refreshToken, idToken, ...data } = args.data;
          return prisma.$transaction(async (transaction) => {
            const method = await transaction.signInMethod.create({ ...args, data } as typeof args);
            await record(transaction, method.userId, "sign_in.sso_linked", { provider: method.providerId });
            return method;
          });
        },
        update({ args }) {
          return prisma.$transaction(async (transaction) => {
            const method = await transaction.signInMethod.update(args);
            if (args.data.password !== undefined) {
              await record(transaction, method.userId, "sign_in.password_changed");
            }
            return method;
          });
        },
      },
      passkey: {
        create({ args }) {
          return prisma.$transaction(async (transaction) => {
            const passkey = await transaction.passkey.create(args);
            await record(transaction, passkey.userId, "sign_in.passkey_added", { name: passkey.name ?? "" });
            return passkey;
          });
        },
      },
    },
  });
  return recorded as unknown as PrismaClient;
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
