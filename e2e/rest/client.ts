import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { expect, inject } from "vitest";
import { createAccount } from "@/server/auth/accounts";
import { openDatabase } from "@/server/db/client";
import { collectRoutes } from "@/server/rest/routes";
import { type AppRouter, appRouter } from "@/server/router";

/** An answer of the REST API. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each spec checks the shape that it expects.
  body: any;
}

export interface Account {
  account_id: string;
  email: string;
  /** The default key. */
  apikey: string;
}

export interface CallOptions {
  key?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with no content type of its own. */
  raw?: string | Buffer<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** Ids that do not exist. */
export const NOWHERE = {
  apikey_id: "sk-0000000",
  group_id: "0123456789abcdef01234567",
  event_id: "76543210fedcba9876543210",
  authorization_id: "0123456789abcdef0123456776543210fedcba9876543210",
  filter_id: "89abcdef0123456701234567",
  model_id: "fedcba987654321001234567",
};

/** What is answered while an account has too many requests at once, and none of them ends for a second. */
export const TOO_MANY_AT_ONCE = "too many requests of this account at once; try again in 1 second";

/** Every endpoint, with such ids in its path. */
export const ENDPOINTS = collectRoutes(appRouter).map(
  ({ method, path }) =>
    [method, path.replace(/\{(\w+)\}/g, (_, name: string) => NOWHERE[name as keyof typeof NOWHERE])] as const,
);

/**
 * The database of the shared product, to write what no endpoint can write, and to read what was stored. The files that run
 * in one worker share it, and it ends with the worker.
 */
export const database = openDatabase(inject("databaseUrl"));
// The product waits 3 s for a connection. On a busy machine a test may wait longer.
for (const { options } of database.pools) options.connectionTimeoutMillis = 0;

/** Calls one endpoint. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  return callAt(inject("productUrl"), method, path, options);
}

/**
 * Calls an endpoint of another running product. Like a client that obeys, it asks again after the time that the answer names
 * while the account has too many requests at once: how long these take depends on what else the machine does.
 */
export async function callAt(url: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  for (;;) {
    const answer = await callOnce(url, method, path, options);
    if (answer.body?.error !== TOO_MANY_AT_ONCE) return answer;
    await delay(Number(answer.headers.get("retry-after")) * 1000);
  }
}

/** Calls an endpoint, and returns whatever is answered first. */
export async function callOnce(
  url: string,
  method: string,
  path: string,
  { key, body, raw, headers }: CallOptions,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...((body !== undefined || raw !== undefined) && { body: raw ?? JSON.stringify(body) }),
  });
  const text = await response.text();
  // An export is a file.
  const isFile = response.headers.has("content-disposition");
  const read = () => (isFile ? text : JSON.parse(text));
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : read() };
}

/** A new account, with its default key alone. */
export function newAccount(): Promise<Account> {
  const by = { kind: "command_line", name: "test", address: null } as const;
  return createAccount(database, { email: `${randomUUID()}@example.com`, isProven: true, keyPrefix: "sk-", by });
}

/** Creates a key and returns its value and id. */
export async function newKey(
  account: Account,
  body: Record<string, unknown> = {},
): Promise<{ apikey: string; id: string }> {
  const answer = await call("POST", "/v1/apikeys", { key: account.apikey, body: { name: "a key", ...body } });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { apikey: answer.body.apikey, id: answer.body.apikey.slice(0, 10) };
}

/** Creates a group and returns its id. */
export async function newGroup(account: Account, name = randomUUID() as string): Promise<string> {
  const answer = await call("POST", "/v1/apikey_groups", { key: account.apikey, body: { name } });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.group_id;
}

/** What the upkeep adds up from other tables, at any moment. The rows say the same before and after that. */
const ADDED_UP = ["key_count", "key_count_change", "moved_key", "rolled_key", "spend_span", "model_span"];

/** The tables and views that have rows of accounts, and the columns that name these. The rows of a partition are those of its table. */
let tablesOfAccounts: Promise<{ name: string; owner: string }[]> | undefined;

async function listTables(): Promise<{ name: string; owner: string }[]> {
  const { rows } = await database.pool.query<{ name: string; owner: string }>(
    `SELECT relname AS name, attname AS owner FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
        AND relname <> ALL ($1) AND (attname = 'account_id' OR (relname = 'account' AND attname = 'id'))
      ORDER BY relname`,
    [ADDED_UP],
  );
  return rows;
}

/** Every row of an account in every table, as text, to prove that nothing has changed. */
export async function rows({ account_id }: Account): Promise<Record<string, string[]>> {
  tablesOfAccounts ??= listTables();
  const found = await Promise.all(
    (await tablesOfAccounts).map(async ({ name, owner }) => {
      const text = `SELECT "${name}"::text AS row FROM "${name}" WHERE ${owner} = $1 ORDER BY 1`;
      const { rows } = await database.pool.query<{ row: string }>(text, [account_id]);
      return [name, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** A tRPC client with a key. */
export function trpc(key: string | undefined) {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${inject("productUrl")}/api/trpc`,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      }),
    ],
  });
}

/** The result of a tRPC call, with the status and the error body that REST would have. */
export async function trpcOutcome(result: Promise<unknown>): Promise<{ status: number; value: unknown }> {
  try {
    return { status: 200, value: await result };
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    return { status: error.data?.httpStatus, value: { success: false, error: error.message } };
  }
}

/** The fields of spend of a key that has spent nothing. */
export function unspent(left: { budget?: number; daily?: number; monthly?: number }) {
  return {
    blocked_by: [],
    near_limits: [],
    spent: 0,
    spent_today: 0,
    spent_this_month: 0,
    held: 0,
    available: { budget: null, daily: null, monthly: null, ...left },
    daily_resets_at: expect.any(Number),
    monthly_resets_at: expect.any(Number),
    last_used_at: null,
  };
}
