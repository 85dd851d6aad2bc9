import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";
import { type TemporaryFolder, temporaryFolder } from "../product";
import { type Account, call, database, newAccount, newKey } from "./client";
import { type FakeUpstream, startUpstream } from "./fake-upstream";
import { openRoad, type Road } from "./road";

export const UPSTREAM_KEY = "upstream-key-of-the-operator";
export const PROMPT = "Say good morning, in secret.";

/** What the model costs, in yuan per million tokens. Its cached input has a price of its own. */
export const PRICE = { input: 0.8, output: 2, cached: 0.2 };
export const MODEL = { name: "fake-large", max_output_tokens: 8192 };

/** The example gateway in a process of its own. */
export interface Gateway {
  url: string;
  output(): string;
  /** Ends it as the operator does, and returns how it ended. */
  stop(): Promise<unknown>;
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<unknown>;
}

/** The example gateway, with a service behind and Allowance before. Its account has the model in its catalogue. */
export interface Scene {
  account: Account;
  upstream: FakeUpstream;
  road: Road;
  folder: TemporaryFolder;
  /** Starts a gateway with this journal. */
  start(outbox: string, env?: Record<string, string>): Promise<Gateway>;
  close(): Promise<void>;
}

export async function openScene(): Promise<Scene> {
  const [account, upstream, road, folder] = await Promise.all([
    newAccount(),
    startUpstream(),
    openRoad(),
    temporaryFolder(),
  ]);
  await setPrices(account);
  return {
    account,
    upstream,
    road,
    folder,
    start: (outbox, env) =>
      startGateway({
        ALLOWANCE_URL: road.url,
        GATEWAY_TOKEN: inject("gatewayToken"),
        UPSTREAM_URL: upstream.url,
        UPSTREAM_KEY,
        ANTHROPIC_URL: upstream.url,
        ANTHROPIC_KEY: UPSTREAM_KEY,
        OUTBOX: join(folder.path, outbox),
        ...env,
      }),
    async close() {
      await Promise.all([upstream.close(), road.close()]);
      await folder.remove();
    },
  };
}

async function setPrices(account: Account): Promise<void> {
  const { input: input_price, output: output_price, cached: cached_input_price } = PRICE;
  const models = [{ ...MODEL, input_price, output_price, cached_input_price }];
  const { status, body } = await call("POST", "/v1/models", { key: account.apikey, body: { models } });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** Starts the example as its README says. */
async function startGateway(env: Record<string, string>): Promise<Gateway> {
  const child = spawn(process.execPath, ["examples/gateway/gateway.mjs"], {
    env: { NODE_ENV: "production", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const exited = once(child, "close");
  const url = () => /http:\/\/localhost:\d+/.exec(output)?.[0];
  while (url() === undefined) {
    const [ended] = await Promise.race([once(child.stdout, "data"), exited]);
    if (ended === child.exitCode) throw new Error(output, { cause: ended });
  }
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return { url: url() ?? "", output: () => output, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

/** A key that can spend, with its books. */
export interface Spender {
  apikey: string;
  id: string;
  /** Ledger, counters and authorizations of the key. */
  books(): Promise<Books>;
}

interface Books {
  spent: number;
  held: number;
  /** What was captured, in yuan. */
  ledger: number[];
  authorizations: { state: string; amount: number; captured: number | null }[];
}

/** Makes a key with limits. */
export async function newSpender(account: Account, limits: object = {}): Promise<Spender> {
  const { apikey, id } = await newKey(account, { ...limits });
  return { apikey, id, books: () => booksOf(account, id) };
}

async function booksOf(account: Account, id: string): Promise<Books> {
  const { body } = await call("GET", `/v1/apikeys/${id}`, { key: account.apikey });
  const { rows: ledger } = await database.pool.query(
    "SELECT amount::text FROM ledger WHERE account_id = $1 AND key_id = $2",
    [account.account_id, id],
  );
  const { rows: authorizations } = await database.pool.query(
    `SELECT state, amount::float8, captured::float8 FROM "authorization" WHERE account_id = $1 AND key_id = $2`,
    [account.account_id, id],
  );
  return { spent: body.spent, held: body.held, ledger: ledger.map(({ amount }) => Number(amount)), authorizations };
}

/** What so many tokens cost, to the last of nine decimals. */
export function yuan(input: number, output: number, cached = 0): number {
  return Number((((input - cached) * PRICE.input + cached * PRICE.cached + output * PRICE.output) / 1e6).toFixed(9));
}
