import { type ChildProcess, execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { closeDownTo, countOpen, onClose } from "./closers";

/** A server under load. */
export interface Server {
  url: string;
  /** Number of its process. */
  pid: number;
}

/** The two servers, and the database that both use. */
export interface Servers {
  product: Server;
  /** The plain server of bench/reference/server.ts. */
  reference: Server;
  databaseUrl: string;
  client: Client;
  /** Folder of the product's data, for commands that work beside it. */
  folder: string;
  /** File that the product writes its log to. */
  logFile: string;
}

/** Options of `node` for each of the two. */
export interface NodeOptions {
  product: string[];
  reference: string[];
}

/** The token that a gateway sends to both servers. */
export const GATEWAY_TOKEN = "the-token-of-the-gateway-that-is-measured";

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 45_000;
const PLAIN: NodeOptions = { product: [], reference: [] };

/** Starts both servers on a new database, each in its own process, and stops them when `use` has finished or failed. */
export async function withServers<T>(
  folder: string,
  use: (servers: Servers) => Promise<T>,
  options: NodeOptions = PLAIN,
): Promise<T> {
  const opened = countOpen();
  try {
    const logFile = join(folder, "product.log");
    const product = await startProduct(folder, logFile, options.product);
    const databaseUrl = await embeddedDatabaseUrl(folder);
    const reference = await startReference(databaseUrl, options.reference);
    const client = new Client({ connectionString: databaseUrl });
    client.on("error", () => {});
    onClose(() => client.end());
    await client.connect();
    await renderPage(product.url);
    return await use({ product, reference, databaseUrl, client, folder, logFile });
  } finally {
    await closeDownTo(opened);
  }
}

/** Renders one page first: a real server has loaded Next.js too, with all that this leaves behind in the process. */
async function renderPage(url: string): Promise<void> {
  const response = await fetch(url);
  const page = await response.text();
  if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${page}`);
}

/** An account that a command has created, with its password and default key. */
export interface CreatedAccount {
  email: string;
  /** The default key. */
  apikey: string;
  password: string;
}

/** Creates an account beside the running product and returns its default key. */
export async function createAccount({ folder }: Servers, email: string): Promise<string> {
  return (await runCommand(folder, ["account", "create", "--email", email])).apikey;
}

/** Creates an account with groups, keys, their spend and a history. */
export function seedAccount(
  { folder }: Servers,
  keys: number,
  groups: number,
  email = "demo@example.com",
): Promise<CreatedAccount> {
  return runCommand(folder, ["seed", "--keys", String(keys), "--groups", String(groups), "--email", email]);
}

async function runCommand(folder: string, command: string[]): Promise<CreatedAccount> {
  const words = ["server/cli/run.mjs", "allowance", ...command];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: productEnv(folder) });
  return JSON.parse(stdout) as CreatedAccount;
}

/** Starts another product on the same database, with workers, whose processes are the children of its own. */
export async function startWithWorkers({ folder, databaseUrl }: Servers, workers: number): Promise<Server> {
  const env = { DATABASE_URL: databaseUrl, WORKERS: String(workers) };
  return startProduct(folder, join(folder, `workers-${workers}.log`), [], env);
}

/** Starts the built product as in production, with its own PostgreSQL. Its log goes to a file, so that its cost counts. */
async function startProduct(
  folder: string,
  logFile: string,
  options: string[],
  settings: Record<string, string> = {},
): Promise<Server> {
  await mkdir(folder, { recursive: true });
  const log = await open(logFile, "w");
  const child = spawn(process.execPath, [...options, "server/cli/run.mjs", "main"], {
    env: { ...productEnv(folder), ...settings },
    stdio: ["ignore", log.fd, log.fd],
  });
  onClose(() => end(child));
  await log.close();
  const port = await readPort(child, logFile, /serves at http:\/\/localhost:(\d+)/);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
}

/** Starts the example gateway in front of the product and a service. Its log goes to a file too. */
export async function startGateway({ product, folder }: Servers, upstreamUrl: string): Promise<Server> {
  const logFile = join(folder, "gateway.log");
  const log = await open(logFile, "w");
  const child = spawn(process.execPath, ["examples/gateway/gateway.mjs"], {
    env: {
      NODE_ENV: "production",
      PORT: "0",
      ALLOWANCE_URL: product.url,
      GATEWAY_TOKEN,
      UPSTREAM_URL: upstreamUrl,
      UPSTREAM_KEY: "the-key-of-the-service-behind",
      OUTBOX: join(folder, "outbox.jsonl"),
    },
    stdio: ["ignore", log.fd, log.fd],
  });
  onClose(() => end(child));
  await log.close();
  const port = await readPort(child, logFile, /serves at http:\/\/localhost:(\d+)/);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
}

/** Waits until a process has written its port to its log. */
async function readPort(child: ChildProcess, logFile: string, pattern: RegExp): Promise<string> {
  for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(50)) {
    const text = await readFile(logFile, "utf8");
    const port = pattern.exec(text)?.[1];
    if (port) return port;
    if (hasEnded(child)) throw new Error(`${child.spawnargs.join(" ")} did not start: ${text}`);
  }
  throw new Error(`${child.spawnargs.join(" ")} did not start in time`);
}

async function startReference(databaseUrl: string, execArgv: string[]): Promise<Server> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, GATEWAY_TOKENS: GATEWAY_TOKEN };
  const child = fork(join(import.meta.dirname, "reference/server.js"), { env, execArgv });
  onClose(() => end(child));
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the reference server ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
}

async function embeddedDatabaseUrl(folder: string): Promise<string> {
  const cluster = join(dataDir(folder), "postgres");
  const password = (await readFile(join(cluster, "allowance-password"), "utf8")).trim();
  const settings = await readFile(join(cluster, "postgresql.conf"), "utf8");
  const port = [...settings.matchAll(/^port = (\d+)$/gm)].at(-1)?.[1];
  return `postgresql://allowance:${password}@127.0.0.1:${port}/postgres`;
}

/** Settings of the shell that runs the benchmark must not change what is measured. */
function productEnv(folder: string): NodeJS.ProcessEnv {
  const { DATABASE_URL, MIGRATION_DATABASE_URL, LOG_LEVEL, KEY_PREFIX, ...env } = process.env;
  return { ...env, PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir(folder), GATEWAY_TOKENS: GATEWAY_TOKEN };
}

function dataDir(folder: string): string {
  return join(folder, "data");
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_DEADLINE_MS);
  await ended;
  clearTimeout(timer);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
