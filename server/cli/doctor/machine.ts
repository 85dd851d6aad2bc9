import { access, constants, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keptSecret } from "@/server/auth/secret";
import type { Config } from "@/server/config";
import { clusterFolder } from "@/server/db/cluster";
import { plainHttpWarning } from "@/server/plain-http";
import { failed, ok, type Verdict, warning } from "./finding";

// What can be known without the database.

/** The settings, which have been read. */
export function checkConfiguration(config: Config): Verdict {
  const database = config.database === undefined ? `the embedded database in ${config.dataDir}` : "DATABASE_URL";
  const [problem, todo] = plainHttpWarning(config);
  if (problem === undefined || todo === undefined) return ok(`every variable is valid; the database is ${database}`);
  return warning(problem.replace(/^Warning: |\.$/g, ""), todo.trim());
}

/** The secret that signs cookies and encrypts second factors. */
export async function checkSecret(config: Config): Promise<Verdict> {
  const { authSecret, dataDir, database } = config;
  if (authSecret !== undefined) return ok("AUTH_SECRET is set; keep a copy beside the backups");
  const kept = await keptSecret(config);
  if (kept === undefined) {
    const found = `there is no secret yet; the first start makes one in ${dataDir}`;
    return (await folderFault(dataDir)) ?? warning(found, "keep DATA_DIR, or set AUTH_SECRET");
  }
  if ("fault" in kept) return failed(kept.fault, kept.todo);
  const found = `the secret is kept in ${join(dataDir, "auth-secret")}; backups include it`;
  if (database === undefined) return ok(found);
  return warning(found, "set AUTH_SECRET where more than one machine serves, because all need the same");
}

/** The embedded database before its first start. */
export async function checkFolder({ dataDir }: Config): Promise<Verdict> {
  return (await folderFault(dataDir)) ?? ok("there is none yet; the first start makes it");
}

/** Why the first start cannot make the data folder, or write to it. */
async function folderFault(dataDir: string): Promise<Verdict | undefined> {
  const place = await nearestPlace(dataDir);
  try {
    await access(place, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return failed(
      `DATA_DIR: ${dataDir} cannot be ${place === dataDir ? "used" : "made"}: ${place}: ${(error as NodeJS.ErrnoException).code}`,
      "make it for the user that serves, or set another DATA_DIR",
    );
  }
}

/** A path, or the nearest one above it that exists. */
async function nearestPlace(path: string): Promise<string> {
  return (await exists(path)) ? path : nearestPlace(dirname(path));
}

const MEGABYTE = 1024 * 1024;

/** The disk of the embedded database. */
export async function checkDisk({ dataDir, database }: Config): Promise<Verdict> {
  if (database !== undefined)
    return ok("not known from here, because PostgreSQL does not tell; watch the disk of its machine");
  const { bavail, bsize, blocks } = await statfs(await nearestPlace(clusterFolder(dataDir)));
  return diskVerdict(bavail * bsize, blocks * bsize);
}

/** @param free in bytes, as `all`. */
export function diskVerdict(free: number, all: number): Verdict {
  const found = `${Math.floor(free / MEGABYTE)} MB of ${Math.floor(all / MEGABYTE)} MB are free`;
  const todo = "free some space, or set LEDGER_RETENTION_DAYS lower; PostgreSQL stops when its disk is full";
  if (free < 256 * MEGABYTE) return failed(found, todo);
  return free < Math.min(2048 * MEGABYTE, all / 10) ? warning(found, todo) : ok(found);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
