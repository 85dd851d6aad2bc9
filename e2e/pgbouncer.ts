import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { freePort, temporaryFolder } from "./product";

const START_DEADLINE_MS = 180_000;

/** A PgBouncer of Debian in front of a PostgreSQL. */
export interface PgBouncer {
  /** The address of the database through it. */
  url: string;
  stop(): Promise<void>;
}

/** Why there is no PgBouncer, or undefined. Where the tests run as root on Debian, the package is installed. */
export function withoutPgBouncer(): string | undefined {
  if (isInstalled()) return undefined;
  if (process.getuid?.() !== 0) return "pgbouncer is not installed, and only root can install it";
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "pgbouncer"], { timeout: 120_000 });
  return isInstalled() ? undefined : "the package pgbouncer cannot be installed";
}

function isInstalled(): boolean {
  return spawnSync("pgbouncer", ["--version"]).error === undefined;
}

/** Whether the PgBouncer that is installed can keep prepared statements in transaction mode: since 1.21. */
export function canKeepStatements(): boolean {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync("pgbouncer", ["--version"]).stdout)) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/**
 * Runs PgBouncer as an ordinary user, with its own defaults but for the mode and the number of clients.
 * @param keptStatements how many prepared statements it keeps for each connection; before 1.21 it keeps none.
 */
export async function startPgBouncer(
  databaseUrl: string,
  mode: "session" | "transaction",
  keptStatements = 0,
): Promise<PgBouncer> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const { hostname, port: to, username, password, pathname } = new URL(databaseUrl);
  const file = join(folder.path, "pgbouncer.ini");
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder.path, "users.txt"),
    pool_mode: mode,
    default_pool_size: 60,
    max_client_conn: 300,
    ...(canKeepStatements() && { max_prepared_statements: keptStatements }),
  };
  await writeFile(settings.auth_file, `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=${hostname} port=${to}\n[pgbouncer]\n${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}`)
      .join("\n")}\n`,
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn("pgbouncer", ["-q", file], { ...user, stdio: "ignore" });
  const exited = once(child, "exit");
  const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
  for (const end = Date.now() + START_DEADLINE_MS; !(await answers(url)); await delay(20)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error("pgbouncer does not start");
  }
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      await folder.remove();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
