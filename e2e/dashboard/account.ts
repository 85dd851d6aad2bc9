import { type BrowserContext, test as base, expect } from "playwright/test";
import { type Database, openDatabase } from "@/server/db/client";
import { newOwner as newOwnerIn, type Owner } from "../owner";

/** A running product, and the database behind it. */
export interface Deployment {
  url: string;
  databaseUrl: string;
}

/** An account that a test can use in browsers and over the API. */
export interface Account {
  email: string;
  password: string;
  /** The default key. */
  apikey: string;
  /** Calls the REST API with the default key. @throws if the API refuses the call. */
  // biome-ignore lint/suspicious/noExplicitAny: each spec checks the shape that it expects.
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Creates a group and returns its id. */
  newGroup(name: string, description?: string): Promise<string>;
  /** Creates a key and returns its id. */
  newKey(name: string, body?: Record<string, unknown>): Promise<string>;
  /** Signs the account in in a browser. */
  signIn(context: BrowserContext): Promise<void>;
  /** Ends all sessions of the account, as their expiry would. */
  endSessions(): Promise<void>;
  /** Makes the last proof of who the owner is older, in all sessions, by so many minutes. */
  ageProof(minutes: number): Promise<void>;
  /** Makes so many groups without keys: "Group 1", "Group 2", and so on. */
  addGroups(count: number): Promise<void>;
  /** Inserts so many keys at once: "bulk 1", "bulk 2" and so on, each with a budget of 100. */
  addKeys(count: number): Promise<void>;
  /** Writes so many events into the history, one a second before the account was created. */
  addEvents(count: number): Promise<void>;
  /** Writes an event into the history at each of these moments. */
  addEventsAt(...moments: Date[]): Promise<void>;
}

/** The product that all specs share. */
const SHARED: Deployment = {
  url: process.env.PRODUCT_URL ?? "",
  databaseUrl: process.env.PRODUCT_DATABASE_URL ?? "",
};

/**
 * For tests of pages that need a session. `account` is signed in in the browser of the test, `other` is not. Each test has
 * accounts of its own, so that tests do not share data.
 */
export const test = base.extend<{ account: Account; other: Account }>({
  baseURL: SHARED.url,
  account: async ({ context }, use) => {
    const account = await newAccount(SHARED);
    await account.signIn(context);
    await use(account);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs
  other: async ({}, use) => use(await newAccount(SHARED)),
});

/** Creates an account, with its default key alone. */
export async function newAccount(deployment: Deployment): Promise<Account> {
  const { url, databaseUrl } = deployment;
  const { account_id, email, password, apikey } = await newOwner(deployment);
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
  return {
    email,
    password,
    apikey,
    call,
    newGroup: async (name, description = "") =>
      (await call("POST", "/v1/apikey_groups", { name, description })).group_id,
    newKey: async (name, body = {}) => (await call("POST", "/v1/apikeys", { name, ...body })).apikey.slice(0, 10),
    async signIn(context) {
      const answer = await context.request.post(`${url}/api/auth/sign-in/email`, { data: { email, password } });
      expect(answer.status()).toBe(200);
    },
    endSessions: () =>
      inDatabase(databaseUrl, async ({ prisma }) => {
        await prisma.session.deleteMany({ where: { userId: account_id } });
      }),
    ageProof: (minutes) =>
      inDatabase(databaseUrl, async ({ pool }) => {
        await pool.query("UPDATE session SET proved_at = proved_at - make_interval(mins => $2) WHERE account_id = $1", [
          account_id,
          minutes,
        ]);
      }),
    addGroups: (count) =>
      inDatabase(databaseUrl, async ({ pool }) => {
        await pool.query(
          `INSERT INTO api_key_group (account_id, id, name)
            SELECT $1, lpad(to_hex(n), 24, '0'), 'Group ' || n FROM generate_series(1, $2::int) n`,
          [account_id, count],
        );
      }),
    addKeys: (count) =>
      inDatabase(databaseUrl, async ({ pool }) => {
        await pool.query(
          `INSERT INTO api_key (account_id, id, name, budget)
            SELECT $1, 'sk-' || lpad(n::text, 7, '0'), 'bulk ' || n, 100 FROM generate_series(1, $2::int) n`,
          [account_id, count],
        );
      }),
    addEvents: (count) =>
      inDatabase(databaseUrl, async ({ pool }) => {
        await pool.query(
          `INSERT INTO event (account_id, id, at, actor, actor_name, action)
            SELECT id, lpad(to_hex(n), 24, '0'), created_at - n * interval '1 second', 'rest', 'script', 'account.settings_changed'
            FROM account, generate_series(1, $2::int) n WHERE id = $1`,
          [account_id, count],
        );
      }),
    addEventsAt: (...moments) =>
      inDatabase(databaseUrl, async ({ pool }) => {
        await pool.query(
          `INSERT INTO event (account_id, id, at, actor, actor_name, action)
            SELECT $1, lpad(to_hex(place), 24, '0'), at, 'rest', 'script', 'account.settings_changed'
            FROM unnest($2::timestamptz[]) WITH ORDINALITY AS event(at, place)`,
          [account_id, moments],
        );
      }),
  };
}

/** Creates an account without a session. */
export function newOwner({ databaseUrl }: Deployment = SHARED): Promise<Owner> {
  return inDatabase(databaseUrl, newOwnerIn);
}

/** The database of the shared product. It is open as long as the process of the tests, because to open it takes long. */
let shared: Database | undefined;

async function inDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  if (url === SHARED.databaseUrl) {
    shared ??= openDatabase(url);
    return work(shared);
  }
  const database = openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
