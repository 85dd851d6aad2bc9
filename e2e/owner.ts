import { randomUUID } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { createAccount, makePassword } from "@/server/auth/accounts";
import type { CreatedAccount } from "@/server/auth/schema";
import type { Database } from "@/server/db/client";
import { newObjectId } from "@/server/input/new-object-id";
import "./quick-hashing.mjs";

/** An account with its default key alone, and the password with which its owner signs in. */
export interface Owner extends CreatedAccount {
  password: string;
}

/** The password of every owner. */
export const OWNER_PASSWORD = makePassword();

/** Creates an account as the command does. */
export async function newOwner(db: Database): Promise<Owner> {
  const by = { kind: "command_line", name: "account:create", address: null } as const;
  const owner = { email: `${randomUUID()}@example.com`, isProven: true, keyPrefix: "sk-", by };
  const created = await createAccount(db, owner);
  const { account_id: userId } = created;
  const password = await hashPassword(OWNER_PASSWORD);
  const method = { providerId: "credential", accountId: userId, userId, password };
  await db.prisma.signInMethod.create({ data: { id: newObjectId(), ...method }, select: { id: true } });
  return { ...created, password: OWNER_PASSWORD };
}
