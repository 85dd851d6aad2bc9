import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { Logger } from "pino";
import type { DatabaseUrls } from "../config";
import { allowConnections, type Cluster, prepareCluster } from "./cluster";
import { connectionsFor } from "./connections";
import { isDatabaseUnavailable } from "./failure";
import {
  findPort,
  findPostmaster,
  leaveTakenPort,
  logTail,
  PostmasterError,
  startPostmaster,
  stopPostmaster,
} from "./postmaster";
import { type DatabaseRole, passwordOf, prepareRoles } from "./roles";

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

/** Advisory locks. PostgreSQL releases a lock when its connection ends, so no lock outlives its process. */
const SERVER_LOCK = 7_260_001;
const USER_LOCK = 7_260_002;
const START_DEADLINE_MS = 60_000;
const RESTART_PAUSE_MS = 1_000;
const RELEASE_DEADLINE_MS = 3_000;

/**
 * Uses the embedded PostgreSQL of a data folder, and starts it where it does not run. A server and commands may do this
 * in any order and at the same time. When a killed process left PostgreSQL running, this process takes it over.
 * @param processes how many processes serve with it.
 * @throws {DataFolderInUse} for a second server; {PostmasterError} when PostgreSQL does not start.
 */
export async function openEmbedded(dataDir: string, role: Role, log: Logger, processes = 1): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(dataDir, log);
  await allowConnections(cluster, connectionsFor(processes));
  if ((await findPostmaster(cluster)) === undefined) await leaveTakenPort(cluster);
  let locks = await attach(cluster, role);
  const { port } = locks;
  let closing = false;
  let restarting: Promise<void> | undefined;

  // The connection that keeps the locks also tells when PostgreSQL ends. The pool uses the port, so it stays the same.
  const watch = () =>
    locks.once("end", () => {
      restarting = restart();
    });
  const restart = async () => {
    if (closing) return;
    log.error("PostgreSQL ended unexpectedly; starting it again");
    while (!closing) {
      await delay(RESTART_PAUSE_MS);
      if (closing) return;
      try {
        locks = await attach(cluster, role);
        log.info("PostgreSQL is back");
        watch();
        return;
      } catch (error) {
        log.error(error, "PostgreSQL could not be started");
      }
    }
  };
  if (role === "server") watch();

  return {
    url: urlOf(cluster, port, "allowance_service"),
    ownerUrl: urlOf(cluster, port, "allowance_owner"),
    async close() {
      closing = true;
      await restarting;
      // A PostgreSQL that hangs does not answer. Then it is stopped too.
      const isLast = await Promise.race([releaseLocks(locks), delay(RELEASE_DEADLINE_MS, true)]);
      if (isLast) await stopPostmaster(cluster);
      await Promise.race([locks.end().catch(() => {}), delay(RELEASE_DEADLINE_MS)]);
    },
  };
}

/** Connects, starts PostgreSQL where it does not run, and takes the locks of the role. */
async function attach(cluster: Cluster, role: Role): Promise<Client> {
  let starting: { exitCode: number | null; signalCode: string | null } | undefined;
  try {
    return await attempt();
  } catch (error) {
    // Another server was faster and uses the PostgreSQL that runs, even if this process started it.
    const isOurs = starting?.exitCode === null && starting.signalCode === null;
    if (isOurs && !(error instanceof DataFolderInUse)) await stopPostmaster(cluster);
    throw error;
  }

  async function attempt(): Promise<Client> {
    for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await delay(20)) {
      const client = await connectPrepared(cluster, await findPort(cluster));
      if (client) {
        const locked = await takeLocks(client, role);
        if (locked) return client;
        continue;
      }
      const hasEnded = starting && (starting.exitCode !== null || starting.signalCode !== null);
      if (hasEnded) await delay(200);
      if ((!starting || hasEnded) && (await findPostmaster(cluster)) === undefined)
        starting = await startPostmaster(cluster);
    }
    throw new PostmasterError(`PostgreSQL in ${cluster.directory} did not start: ${await logTail(cluster)}`);
  }
}

/** A connection of the service, after the superuser has made what it needs. The superuser does nothing else. */
async function connectPrepared(cluster: Cluster, port: number): Promise<Client | undefined> {
  const superuser = await connect(cluster, port, "allowance");
  if (!superuser) return undefined;
  try {
    await prepareRoles(superuser, cluster.password);
  } catch (error) {
    // PostgreSQL was stopped meanwhile, or a table was in use for too long.
    if (!isDatabaseUnavailable(error)) throw error;
    return undefined;
  } finally {
    await superuser.end().catch(() => {});
  }
  return connect(cluster, port, "allowance_service");
}

/** A connection to this cluster. Undefined while PostgreSQL does not run, starts up or shuts down. */
async function connect(cluster: Cluster, port: number, role: DatabaseRole): Promise<Client | undefined> {
  const client = new Client({
    connectionString: urlOf(cluster, port, role),
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    application_name: "allowance locks",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
}

/** Returns false when the last process that used PostgreSQL was stopping it meanwhile. */
async function takeLocks(client: Client, role: Role): Promise<boolean> {
  try {
    await client.query("SELECT pg_advisory_lock_shared($1)", [USER_LOCK]);
    if (role === "command") return true;
    const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1) AS free", [SERVER_LOCK]);
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
    await locks.query("SELECT pg_advisory_unlock_shared($1)", [USER_LOCK]);
    const { rows } = await locks.query<{ last: boolean }>("SELECT pg_try_advisory_lock($1) AS last", [USER_LOCK]);
    return rows[0]?.last ?? false;
  } catch {
    return true;
  }
}

/** The address of the embedded database for one of its roles. */
export function urlOf({ password }: Pick<Cluster, "password">, port: number, role: DatabaseRole): string {
  return `postgresql://${role}:${passwordOf(role, password)}@127.0.0.1:${port}/postgres?sslmode=disable`;
}
