import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base } from "playwright/test";
import { openDatabase } from "../../server/db/client";
import { runToEnd } from "../product";

const url = process.env.PRODUCT_URL ?? "";
const dataDir = process.env.PRODUCT_DATA_DIR ?? "";

/** An account that is signed in in the browser of the test. */
export interface Account {
  email: string;
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
    const email = `${randomUUID()}@example.com`;
    const { stdout } = await runToEnd("account-create", ["--email", email], { env: { DATA_DIR: dataDir } });
    const { account_id, apikey } = JSON.parse(stdout);
    await context.addCookies([{ name: "allowance.session_token", value: await newSession(account_id), url }]);
    const call: Account["call"] = async (method, path, body) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apikey}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
      return answer;
    };
    await use({
      email,
      apikey,
      call,
      newGroup: async (name, description = "") =>
        (await call("POST", "/v1/apikey_groups", { name, description })).group_id,
      newKey: async (name, body = {}) => (await call("POST", "/v1/apikeys", { name, ...body })).apikey.slice(0, 10),
    });
  },
});

/** A session as signing in makes one; the value of its cookie. */
async function newSession(accountId: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const database = openDatabase(process.env.PRODUCT_DATABASE_URL ?? "");
  try {
    await database.prisma.session.create({
      data: { id: randomUUID(), token, userId: accountId, expiresAt: new Date(Date.now() + 3_600_000) },
    });
  } finally {
    await database.close();
  }
  const secret = await readFile(join(dataDir, "auth-secret"), "utf8");
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return encodeURIComponent(`${token}.${signature}`);
}
