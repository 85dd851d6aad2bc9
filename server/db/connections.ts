import type { Logger } from "pino";
import { withClient } from "./with-client";

/** The most connections of each pool of a process (server/db/client.ts). */
export const POOL_SIZES = {
  general: 16,
  /** Calls that wait share a statement, so that few connections are enough. */
  look_up: 8,
  list: 4,
  spend: 8,
};

/** The heartbeat has two of its own. */
const PROBES = 2;

/** The most connections of one process that serves. */
export const CONNECTIONS_OF_PROCESS = Object.values(POOL_SIZES).reduce((sum, size) => sum + size, PROBES);

/** What is left for commands beside the server, for its locks, and for the superuser. */
const SPARE = 64;

/** How many connections a PostgreSQL needs that serves so many processes alone. */
export function connectionsFor(processes: number): number {
  return CONNECTIONS_OF_PROCESS * processes + SPARE;
}

/**
 * Says in the log when PostgreSQL allows fewer connections than the processes of this machine may open. It serves all the same:
 * few deployments need all of them, and a pooler in front has limits of its own.
 */
export async function checkConnections(url: string, processes: number, log: Logger): Promise<void> {
  const needed = CONNECTIONS_OF_PROCESS * processes;
  try {
    const { rows } = await withClient(url, "allowance start", (client) => client.query<{ allowed: number }>(ALLOWED));
    const allowed = rows[0]?.allowed ?? needed;
    if (allowed >= needed) return;
    log.warn(
      { needed, allowed },
      `PostgreSQL allows ${allowed} connections, and this server may open ${needed}: raise max_connections, or lower WORKERS`,
    );
  } catch {
    // Who waits for the database says why it does not answer.
  }
}

/** Those for ordinary roles. Some are reserved for superusers, and since PostgreSQL 16 for roles with that privilege. */
const ALLOWED = `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
  - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0) AS allowed`;
