import { randomUUID } from "node:crypto";
import { test as base, expect } from "playwright/test";
import { createAccount, makePassword } from "../../server/auth/accounts";
import { openDatabase } from "../../server/db/client";

const url = process.env.PRODUCT_URL ?? "";

/** An account that is signed in in the browser of the test. */
export interface Account {
  email: string;
  password: string;
  /** The default key. */
  apikey: string;
  /** Calls the REST API with the default key, as a program would; throws where it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: the specs say what they expect of it.
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Creates a group and returns its id. */
  newGroup(name: string, description?: string): Promise<string>;
  /** Creates a key and returns its id. */
  newKey(name: string, body?: Record<string, unknown>): Promise<string>;
}

/** Tests of pages that want a session: each has an account of its own, and what is in it is its alone. */
export const test = base.extend<{ account: Account }>({
  baseURL: url,
  account: async ({ context }, use) => {
    const { email, password, apikey } = await newOwner();
    const answer = await context.request.post(`${url}/api/auth/sign-in/email`, { data: { email, password } });
    expect(answer.status()).toBe(200);
    const call: Account["call"] = async (method, path, body = {}) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apikey}`, "content-type": "application/json" },
        ...(method !== "GET" && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
      return answer;
    };
    await use({
      email,
      password,
      apikey,
      call,
      newGroup: async (name, description = "") =>
        (await call("POST", "/v1/apikey_groups", { name, description })).group_id,
      newKey: async (name, body = {}) => (await call("POST", "/v1/apikeys", { name, ...body })).apikey.slice(0, 10),
    });
  },
});

/** A new account that nobody has signed in to. */
export async function newOwner(): Promise<Pick<Account, "email" | "password" | "apikey">> {
  const database = openDatabase(process.env.PRODUCT_DATABASE_URL ?? "");
  try {
    const password = makePassword();
    const by = { kind: "command_line", name: "account:create", address: null } as const;
    const account = { email: `${randomUUID()}@example.com`, password, isProven: true, keyPrefix: "sk-", by };
    return { password, ...(await createAccount(database, account)) };
  } finally {
    await database.close();
  }
}
