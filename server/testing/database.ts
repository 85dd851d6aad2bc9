import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import type { AccountId } from "../auth/account-id";
import { createAccount } from "../auth/accounts";
import { openDatabase } from "../db/client";
import { KeyInsertion } from "../keys/insertion";
import { hashKeyValue, makeKeyValue } from "../keys/key-value";
import { limitsOf } from "../limits/apply";

const by = { kind: "command_line", name: "test", address: null } as const;

/** The database that all integration tests share. The files that run in one worker share it, and it ends with the worker. */
export const database = openDatabase(inject("databaseUrl"));

export const keyInsertion = new KeyInsertion(database);

/** Creates an account that has only its default key. */
export function newAccount(db = database) {
  return createAccount(db, { email: `${randomUUID()}@example.com`, isProven: true, keyPrefix: "sk-", by });
}

/** Creates a key, and returns its value and id. */
export async function newKey(
  accountId: AccountId,
  limits: Parameters<typeof limitsOf>[0] = {},
): Promise<{ apikey: string; id: string }> {
  const { id, value } = makeKeyValue("sk-");
  const key = { id, hash: hashKeyValue(value), name: "a key", groupId: null, limits: limitsOf(limits) };
  await keyInsertion.insert(accountId, by, key);
  return { apikey: value, id };
}
