import { randomUUID } from "node:crypto";
import { type Client, type ClientBase, DatabaseError } from "pg";
import type { Speech } from "./connection";
import { run, type Statement } from "./statement";
import { withClient } from "./with-client";

/** A pooler between the product and PostgreSQL, as two connections see it. */
export interface Pooler {
  /**
   * `none`: connections lead to PostgreSQL itself, or to what cannot be told from it. `session`: a connection keeps its
   * PostgreSQL process. `transaction`: each transaction may get another one. `statement`: each statement may.
   */
  mode: "none" | "session" | "transaction" | "statement";
  /** Whether a named prepared statement can be used in later transactions. */
  keepsStatements: boolean;
}

/** The pooler cannot be used as it is set up. The message says what to set. */
export class PoolerError extends Error {}

/** There is one name for all probes, because what they leave behind a pooler cannot be removed. */
const PROBE = "allowance_pooler_probe";
/** Other clients of the pooler may take the process that a round needs, so one round proves nothing. */
const ROUNDS = 10;
/** SQLSTATEs: a prepared statement of this name exists already, or does not exist. */
const OTHER_STATEMENTS = new Set(["42P05", "26000"]);
const ANSWER_WITHIN_MS = 3_000;

/**
 * Finds out whether an address leads through a pooler, and in which mode. A pooler makes up the process id that it tells a
 * client, so that the real one differs. Where another connection gets the process of the first one, or the first one
 * gets another process, processes are shared between transactions. It changes nothing.
 * @throws what `pg` throws where the database cannot be reached.
 */
export async function findPooler(url: string): Promise<Pooler> {
  return withProbe(url, async (first) => {
    if ((await processOf(first)) === told(first)) return { mode: "none", keepsStatements: true };
    return withProbe(url, (second) => compare(first, second));
  });
}

/**
 * Finds the pooler of an address, and makes the connections of a process speak as it needs it.
 * @param speech of connections that are not made yet.
 * @throws {PoolerError} naming what to set, where the pooler would fail statements.
 */
export async function fitPooler(url: string, speech: Speech): Promise<Pooler> {
  const pooler = await findPooler(url);
  if (pooler.mode === "statement") {
    throw new PoolerError(
      "DATABASE_URL leads through a pooler in statement mode, which allows no transactions; set its pool_mode to session or transaction",
    );
  }
  if (speech.usesNames && !pooler.keepsStatements) {
    throw new PoolerError(
      "DATABASE_URL leads through a pooler that does not keep prepared statements; set max_prepared_statements above 0 (PgBouncer 1.21 or newer), or its pool_mode to session, or PREPARED_STATEMENTS=off",
    );
  }
  speech.isShared ||= pooler.mode === "transaction";
  return pooler;
}

async function compare(first: Client, second: Client): Promise<Pooler> {
  const shared = { mode: "transaction" } as const;
  const nonce = randomUUID();
  let before: number | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    // Poolers give away first the process that came back last. So each round begins with this one.
    const pid = await processOfPrepared(first, nonce);
    if (pid === undefined) return { ...shared, keepsStatements: false };
    if (before !== undefined && pid !== before) return { ...shared, keepsStatements: true };
    before = pid;
    try {
      await second.query("BEGIN");
    } catch (error) {
      // Of PostgreSQL, BEGIN never fails.
      if (error instanceof DatabaseError) return { mode: "statement", keepsStatements: false };
      throw error;
    }
    try {
      if ((await processOf(second)) === pid) {
        return { ...shared, keepsStatements: (await processOfPrepared(second, nonce)) !== undefined };
      }
      const next = await processOfPrepared(first, nonce);
      if (next === undefined) return { ...shared, keepsStatements: false };
      if (next !== pid) return { ...shared, keepsStatements: true };
    } finally {
      await second.query("ROLLBACK");
    }
  }
  return { mode: "session", keepsStatements: true };
}

async function processOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}

/**
 * The process that runs a named statement. Undefined where the process has other statements than this connection's: none of
 * the name, or that of another probe.
 * @param nonce of this probe.
 */
async function processOfPrepared(client: ClientBase, nonce: string): Promise<number | undefined> {
  try {
    const text = `SELECT pg_backend_pid() AS pid, '${nonce}' AS nonce`;
    const probe: Statement<{ pid: number; nonce: string }> = { name: PROBE, parameters: [], text };
    const [row] = await run(client, probe, []);
    return row?.nonce === nonce ? row.pid : undefined;
  } catch (error) {
    if (error instanceof DatabaseError && OTHER_STATEMENTS.has(error.code ?? "")) return undefined;
    throw error;
  }
}

/** The process id that a client was told when it connected. */
function told(client: Client): number | null {
  return (client as Client & { processID: number | null }).processID;
}

function withProbe<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  return withClient(url, "allowance pooler probe", use, ANSWER_WITHIN_MS);
}
