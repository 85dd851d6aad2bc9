import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import "./quick-hashing.mjs";

/** The product in a process of its own, as users run it. */
export interface Product {
  url: string;
  process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

export interface RunOptions {
  env: Record<string, string>;
  uid?: number;
  gid?: number;
  cwd?: string;
  /** How many files the process may open. */
  mostFiles?: number;
  /** What the standard input has. */
  input?: string | Uint8Array;
  /** Whether a password is hashed as users have it, and not as in `quick-hashing.mjs`. Such a process knows no `newOwner`. */
  hashesSlowly?: boolean;
}

/** What a command printed, and how it ended. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One of the `GATEWAY_TOKENS` of the shared product. */
export const GATEWAY_TOKEN = "a-token-that-the-operator-gave-to-a-gateway";

/** The `AUTH_SECRET` of servers on an external database, which must have the same one. */
export const SHARED_SECRET = "a-secret-that-all-servers-of-a-database-have";

const START_DEADLINE_MS = 180_000;

/** The `NODE_OPTIONS` of a process whose clock is so many seconds ahead; less than 0: behind. */
export function clockAhead(seconds: number): string {
  const clock = `const System = Date, ahead = ${seconds * 1000};
    globalThis.Date = class Date extends System {
      constructor(...given) { given.length === 0 ? super(System.now() + ahead) : super(...given); }
      static now() { return System.now() + ahead; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(clock)}`;
}

/** Starts the built product, or `npm run dev`, on a free port and waits until it is healthy. */
export async function startProduct(options: RunOptions, name: "main" | "dev" = "main"): Promise<Product> {
  const isShared = options.env.DATABASE_URL !== undefined && options.env.AUTH_SECRET_FILE === undefined;
  const env = { PORT: "0", ...(isShared && { AUTH_SECRET: SHARED_SECRET }), ...options.env };
  const child = run(name, [], { ...options, env });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const exited = once(child, "exit");
  for (const end = Date.now() + START_DEADLINE_MS; Date.now() < end; await delay(20)) {
    if (child.exitCode !== null) throw new Error(`the product ended:\n${output}`);
    const url = /http:\/\/localhost:\d+/.exec(output)?.[0];
    if (url && (await fetch(`${url}/healthz`)).ok) {
      const stop = async () => {
        child.kill("SIGTERM");
        await exited;
        return child.exitCode;
      };
      return { url, process: child, output: () => output, stop };
    }
  }
  child.kill("SIGKILL");
  throw new Error(`the product was not healthy in time:\n${output}`);
}

/**
 * The lines of a log in JSON that complain, but for those that say no more than that the machine is busy.
 * @param least the lowest level of pino: 40 for warnings, 50 for errors.
 */
export function complaintsIn(output: string, least: 40 | 50): string[] {
  // The last line may not be whole yet.
  const lines = output.split("\n").slice(0, -1);
  return lines
    .filter((line) => line.startsWith("{"))
    .filter((line) => {
      const { level, cause } = JSON.parse(line);
      return level >= least && cause !== "database_silent" && cause !== "pool_exhausted";
    });
}

/** Whether a product has neither ended nor been killed. */
export const isRunning = ({ process: { exitCode, signalCode } }: Product) => exitCode === null && signalCode === null;

/** Whether there is a process of this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs the product or one of its commands, and waits until it ends. */
export function runToEnd(name: string, args: string[], options: RunOptions): Promise<Finished> {
  return finished(run(name, args, options));
}

/** Reads what a process prints, and waits until it ends. */
export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** Systems give connections and servers without a port of their own one above these. */
const PORTS = { from: 12_000, to: 32_000 };

/**
 * A port for a product or a PostgreSQL that is to keep it over its next starts, or whose address must be known before
 * it starts. The system gives it to nobody else meanwhile.
 */
export async function freePort(): Promise<string> {
  for (;;) {
    const server = createServer().listen(randomInt(PORTS.from, PORTS.to));
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    const address = server.address();
    await new Promise((closed) => server.close(closed));
    if (isFree && address instanceof Object) return String(address.port);
  }
}

/** A folder that the test removes. */
export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

/** A new empty folder. Any user may enter it, because PostgreSQL runs as another user when the tests run as root. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "allowance-"));
  await chmod(path, 0o755);
  // A process that was killed may write a last file meanwhile.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** The file of the build that a script of package.json runs, with its words before the arguments. */
function programOf(name: string): string[] {
  if (name === "main" || name === "dev") return [`.build/${name}.js`];
  return [".build/allowance.js", ...(name === "audit-books" ? ["audit"] : name.replace(/(?<=\w)-/, " ").split(" "))];
}

const QUICK_HASHING = `--import=${new URL("quick-hashing.mjs", import.meta.url)}`;

/** Starts a program of the product. */
export function run(name: string, args: string[], options: RunOptions): ChildProcess {
  const { env, uid, gid, cwd, mostFiles, input, hashesSlowly = false } = options;
  const { PATH, HOME } = process.env;
  const command = [process.execPath, ...programOf(name), ...args];
  const limited =
    mostFiles === undefined ? command : ["sh", "-c", `ulimit -n ${mostFiles}; exec "$0" "$@"`, ...command];
  const [program = "", ...words] = limited;
  const child = spawn(program, words, {
    cwd,
    env: {
      PATH,
      HOME,
      NODE_ENV: "production",
      ...env,
      ...(!hashesSlowly && { NODE_OPTIONS: [QUICK_HASHING, env.NODE_OPTIONS ?? ""].join(" ") }),
    },
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  child.stdin?.end(input);
  return child;
}
