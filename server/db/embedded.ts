import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Logger } from "pino";
import { ConfigError, type DatabaseUrls } from "../config";
import { isOfUnusablePath } from "../unusable-path";
import { LOCKS } from "./advisory-locks";
import { allowConnections, type Cluster, prepareCluster, urlOf } from "./cluster";
import { connectionsFor } from "./connections";
import { isDatabaseUnavailable } from "./failure";
import { claimFolder } from "./folder-claim";
import { upgradeMajorVersion } from "./major-upgrade";
import { outageOf } from "./outage";
import {
  findPort,
  findPostmaster,
  isDiskFull,
  leaveTakenPort,
  linesSince,
  logEnd,
  type Postmaster,
  PostmasterError,
  shortenLog,
  startPostmaster,
  stopPostmaster,
} from "./postmaster";
import { type DatabaseRole, prepareRoles } from "./roles";
import { connect } from "./with-client";

/** The embedded PostgreSQL, as one process uses it. */
export interface EmbeddedPostgres extends DatabaseUrls {
  /** Stops using it. The last process that uses PostgreSQL stops it. */
  close(): Promise<void>;
}

/**
 * A data folder has one `server` at a time, which starts PostgreSQL again when it ends. It may have any number of
 * processes with the role `command`.
 */
export type Role = "server" | "command";

/** Another server process uses the data folder. */
class DataFolderInUse extends Error {}

const START_DEADLINE_MS = 60_000;
const RESTART_PAUSE_MS = 1_000;
const SHORTEN_EVERY_MS = 60 * 60_000;
/**
 * Complaints of a start that the next one may not have: another process starts the same cluster, or processes of a killed
 * PostgreSQL have not ended yet.
 */
const PASSES_BY = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/;
const RELEASE_DEADLINE_MS = 3_000;
/** How long PostgreSQL may take from its start to its lock file. */
const LOCK_FILE_DEADLINE_MS = 5_000;

/**
 * Uses the embedded PostgreSQL of a data folder, and starts it where it does not run. A server and commands may do this
 * in any order and at the same time. When a killed process left PostgreSQL running, this process takes it over.
 * @param processes how many processes serve with it.
 * @param stopping ends the wait for a PostgreSQL that does not come up, and stops it where this process has started it.
 * @throws {DataFolderInUse} for a second server; {PostmasterError} when PostgreSQL does not start; {MajorVersionError} when
 * the data folder is of another major version of PostgreSQL and cannot be upgraded; {FolderInOtherContainer}; {ConfigError}
 * when the data folder cannot be used.
 */
export async function openEmbedded(
  dataDir: string,
  role: Role,
  log: Logger,
  processes = 1,
  stopping?: AbortSignal,
): Promise<EmbeddedPostgres> {
  let release = async () => {};
  try {
    release = await claimFolder(dataDir);
    const embedded = await openClaimed(dataDir, role, log, processes, stopping);
    return { ...embedded, close: () => embedded.close().finally(release) };
  } catch (error) {
    await release();
    throw namingFolder(error, dataDir);
  }
}

/** The error of a data folder that cannot be made or used names the setting. */
function namingFolder(error: unknown, dataDir: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const isOfFolder = path !== undefined && (path.startsWith(dataDir) || dataDir.startsWith(path));
  if (!isOfUnusablePath(error) || !isOfFolder) return error;
  return new ConfigError(`DATA_DIR: ${dataDir} cannot be used: ${path}: ${code}`);
}

async function openClaimed(
  dataDir: string,
  role: Role,
  log: Logger,
  processes: number,
  stopping?: AbortSignal,
): Promise<EmbeddedPostgres> {
  await upgradeMajorVersion(dataDir, log);
  const cluster = await prepareCluster(dataDir, log);
  await allowConnections(cluster, connectionsFor(processes));
  if ((await findPostmaster(cluster)) === undefined) await leaveTakenPort(cluster);
  let locks = await attach(cluster, role, log, stopping);
  const { port } = locks;
  const closing = new AbortController();
  let logged = await logEnd(cluster);
  let told = "";
  let restarting: Promise<void> | undefined;

  // The connection that keeps the locks also tells when PostgreSQL ends. The pool uses the port, so it stays the same.
  const watch = () =>
    locks.once("end", () => {
      restarting = restart();
    });
  const restart = async () => {
    if (closing.signal.aborted) return;
    // Somebody may have ended this connection alone.
    const runs = (await findPostmaster(cluster)) !== undefined;
    log.error(
      { postgres: await linesSince(cluster, logged) },
      runs
        ? "PostgreSQL ended the connection that keeps the data folder; connecting again"
        : "PostgreSQL ended unexpectedly; starting it again",
    );
    while (!closing.signal.aborted) {
      await delay(RESTART_PAUSE_MS);
      if (closing.signal.aborted) return;
      try {
        locks = await attach(cluster, role, log, closing.signal);
        log.info("connected to PostgreSQL again");
        logged = await logEnd(cluster);
        told = "";
        watch();
        return;
      } catch (error) {
        if (!closing.signal.aborted) tellOnce(error);
      }
    }
  };
  /** It tries every second, and fails for the same reason each time. */
  const tellOnce = (error: unknown) => {
    const reason = withoutNumbers(error instanceof Error ? error.message : "");
    if (reason !== told) log.error({ err: error }, "PostgreSQL could not be started; trying again every second");
    told = reason;
  };
  const shorten = async () => {
    if (await shortenLog(cluster)) logged = 0;
  };
  const shortenOrTell = () => shorten().catch((error: unknown) => log.warn({ err: error }, "postgres.log stays large"));
  if (role === "server") {
    watch();
    await shortenOrTell();
  }
  const shortening = role === "server" ? setInterval(shortenOrTell, SHORTEN_EVERY_MS).unref() : undefined;

  return {
    url: urlOf(cluster, port, "allowance_service"),
    ownerUrl: urlOf(cluster, port, "allowance_owner"),
    async close() {
      closing.abort();
      clearInterval(shortening);
      await restarting;
      // A PostgreSQL that hangs does not answer. Then it is stopped too.
      const isLast = await Promise.race([releaseLocks(locks), delay(RELEASE_DEADLINE_MS, true, { ref: false })]);
      if (isLast) await stopPostmaster(cluster);
      await Promise.race([locks.end().catch(() => {}), delay(RELEASE_DEADLINE_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * Connects, starts PostgreSQL where it does not run, and takes the locks of the role.
 * @throws {PostmasterError} with the complaints of PostgreSQL, as soon as a start has failed for good; the reason of the
 * signal when it is aborted.
 */
async function attach(cluster: Cluster, role: Role, log: Logger, signal?: AbortSignal): Promise<Client> {
  let starting: Promise<Postmaster> | undefined;
  let waited = "";
  const settled = new AbortController();
  try {
    // A PostgreSQL that hangs may not answer at all, so the attempt alone might not come to the look at the signal.
    return await (signal ? Promise.race([attempt(), rejectAtAbort(signal, settled.signal)]) : attempt());
  } catch (error) {
    const started = await starting?.catch(() => undefined);
    // Another server was faster and uses the PostgreSQL that runs, even if this process started it.
    if (started && !(error instanceof DataFolderInUse)) await stopStarted(cluster, started);
    throw error;
  } finally {
    settled.abort();
  }

  async function attempt(): Promise<Client> {
    for (let deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(20)) {
      signal?.throwIfAborted();
      const client = await connectPrepared(cluster, await findPort(cluster));
      if (client === "starting") {
        // After a crash PostgreSQL may repair for minutes.
        if (waited === "") log.info("PostgreSQL is starting up");
        waited ||= "starting up";
        deadline = Date.now() + START_DEADLINE_MS;
        continue;
      }
      if (client) {
        const locked = await takeLocks(client, role);
        if (locked) return client;
        continue;
      }
      const started = await starting;
      if (started?.hasEnded()) await judge(started);
      if ((!started || started.hasEnded()) && (await findPostmaster(cluster)) === undefined) {
        signal?.throwIfAborted();
        starting = startPostmaster(cluster);
        await starting;
      }
    }
    throw new PostmasterError(`PostgreSQL in ${cluster.directory} did not start: ${await lastWords()}`);
  }

  /** Decides whether a start that has failed is tried again. */
  async function judge(failed: Postmaster): Promise<void> {
    const lines = await failed.complaints();
    const words = lines.join(" | ");
    const isStopped = lines.length === 0 || /shut down|shutting down/.test(words);
    const noRoom = (await isDiskFull(cluster)) ? "No space left on device. " : "";
    if (!PASSES_BY.test(words) && (noRoom !== "" || !isStopped)) {
      throw new PostmasterError(
        `PostgreSQL in ${cluster.directory} cannot start: ${failed.ending()}: ${noRoom}${words}`,
      );
    }
    if (words !== "" && withoutNumbers(words) !== waited)
      log.warn({ postgres: lines }, "PostgreSQL does not start yet");
    waited = withoutNumbers(words);
    await delay(200);
  }

  async function lastWords(): Promise<string> {
    return (await linesSince(cluster, 0)).join(" | ");
  }
}

/** Stops a PostgreSQL that was started a moment ago: it is found when it has written its lock file. */
async function stopStarted(cluster: Cluster, started: Postmaster): Promise<void> {
  const deadline = Date.now() + LOCK_FILE_DEADLINE_MS;
  while (!started.hasEnded() && (await findPostmaster(cluster)) === undefined && Date.now() < deadline) await delay(20);
  if (!started.hasEnded()) await stopPostmaster(cluster);
}

/** Rejects when `signal` is aborted, unless `unless` is before. */
async function rejectAtAbort(signal: AbortSignal, unless: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, "abort", { signal: unless });
  throw signal.reason;
}

/** A reason without times and process ids, so that the same reason is told once. */
function withoutNumbers(reason: string): string {
  return reason.replace(/\d+/g, "");
}

/** A connection of the service, after the superuser has made what it needs. The superuser does nothing else. */
async function connectPrepared(cluster: Cluster, port: number): Promise<Client | "starting" | undefined> {
  const superuser = await connectAs("allowance", cluster, port);
  if (!superuser || superuser === "starting") return superuser;
  try {
    await prepareRoles(superuser, cluster.password);
  } catch (error) {
    if (outageOf(error).cause === "database_disk_full") {
      const { message } = error as Error;
      throw new PostmasterError(`PostgreSQL in ${cluster.directory} cannot write: ${message}`, { cause: error });
    }
    // PostgreSQL was stopped meanwhile, or a table was in use for too long.
    if (!isDatabaseUnavailable(error)) throw error;
    return undefined;
  } finally {
    await superuser.end().catch(() => {});
  }
  return connectAs("allowance_service", cluster, port);
}

/**
 * A connection to this cluster. Undefined while PostgreSQL does not run, `starting` while it starts up or shuts down.
 * @throws {PostmasterError} when the password is wrong.
 */
async function connectAs(role: DatabaseRole, cluster: Cluster, port: number): Promise<Client | "starting" | undefined> {
  try {
    return await connect(urlOf(cluster, port, role), "allowance locks");
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "57P03") return "starting";
    if (code === "28P01" && role === "allowance") {
      throw new PostmasterError(
        `PostgreSQL in ${cluster.directory} refuses the password in its file allowance-password`,
      );
    }
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
}

/** Returns false when the last process that used PostgreSQL was stopping it meanwhile. */
async function takeLocks(client: Client, role: Role): Promise<boolean> {
  try {
    await client.query("SELECT pg_advisory_lock_shared($1)", [LOCKS.users]);
    if (role === "command") return true;
    const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1) AS free", [LOCKS.server]);
    if (rows[0]?.free) return true;
  } catch (error) {
    await client.end().catch(() => {});
    if (isDatabaseUnavailable(error)) return false;
    throw error;
  }
  await client.end();
  throw new DataFolderInUse("another Allowance server uses this data folder; stop it, or set another DATA_DIR");
}

/** Releases the locks, and returns whether no other process uses PostgreSQL. From then on a new process waits. */
async function releaseLocks(locks: Client): Promise<boolean> {
  try {
    await locks.query("SELECT pg_advisory_unlock_shared($1)", [LOCKS.users]);
    const { rows } = await locks.query<{ last: boolean }>("SELECT pg_try_advisory_lock($1) AS last", [LOCKS.users]);
    return rows[0]?.last ?? false;
  } catch {
    return true;
  }
}
