import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type Database, openDatabase } from "./client";
import type { ConnectionPool } from "./connection";
import { isDatabaseUnavailable } from "./failure";

/**
 * Does a read of lists, exports, usage or history on a database that has all that was committed before the call. Nothing
 * that decides is read this way: who is calling, what may be spent, the version that a change is based on.
 */
export type Reads = <Result>(work: (db: Database) => Promise<Result>) => Promise<Result>;

/** A streaming replica. While it cannot answer, the primary does. */
export interface ReadReplica {
  read: Reads;
  /** The pools that reads use. */
  pools: readonly ConnectionPool[];
  close(): Promise<void>;
}

/** The names of the pools that reads use. */
const READING = ["general", "list"];

/** Where a server is in the log of changes, and whose log it is. */
interface Position {
  lsn: string;
  /** Of the cluster and its timeline. Another one has other changes at the same place of the log. */
  history: string;
}

/** For so long a read waits until the replica has what it must see. Then the primary answers. */
const LONGEST_WAIT_MS = 200;
const POLL_MS = 5;
/** A server that hangs must not keep a read waiting. */
const ANSWER_TIMEOUT_MS = 1_000;
/** The primary answers for so long after the replica could not. */
const REST_MS = 5_000;

const HISTORY = `(SELECT system_identifier FROM pg_control_system()) || ' '
    || (SELECT timeline_id FROM pg_control_checkpoint())`;

/**
 * What was acknowledged is before this position: it was flushed. Only with `synchronous_commit = off` is it acknowledged
 * earlier.
 */
const POSITION = `SELECT ${HISTORY} AS history, CASE current_setting('synchronous_commit')
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END::text AS lsn`;

const STATE = `SELECT pg_is_in_recovery() AS "isStandby", ${HISTORY} AS history,
    coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "isCurrent"`;

interface State {
  isStandby: boolean;
  history: string;
  isCurrent: boolean;
}

/** The replica must not be asked. The message says why. */
class Unfit extends Error {}

/**
 * Opens a streaming replica for reads. Before each read it asks the primary for its position, and reads from the replica when
 * that has replayed as much. So a page that was just written is there, whichever process has written it. No clock, cookie or
 * window of time is needed (docs/operations.md#read-replica).
 * @param count is told of each read, who answered it.
 */
export function openReadReplica(
  url: string,
  primary: Database,
  log: Logger,
  count: (answeredBy: "replica" | "primary") => void,
): ReadReplica {
  const replica = openDatabase(url, { usesNames: primary.speech.usesNames });
  const closing = new AbortController();
  const reader = new Reader(primary, replica, log);
  void reader.watch(closing.signal);
  return {
    async read(work) {
      const { result, answeredBy } = await reader.read(work);
      count(answeredBy);
      return result;
    },
    pools: replica.pools.filter(({ name }) => READING.includes(name)),
    async close() {
      closing.abort();
      await replica.close();
    },
  };
}

interface Answer<Result> {
  result: Result;
  answeredBy: "replica" | "primary";
}

class Reader {
  /** Whether reads may go to the replica. Only `watch` says yes, so that no request waits for one that is away. */
  #isFit = false;
  /** What the log has said last. */
  #told = "";

  constructor(
    private readonly primary: Database,
    private readonly replica: Database,
    private readonly log: Logger,
  ) {}

  async read<Result>(work: (db: Database) => Promise<Result>): Promise<Answer<Result>> {
    if (!this.#isFit) return this.#readPrimary(work);
    const position = await this.#position();
    try {
      await this.#catchUp(position);
      return { result: await work(this.replica), answeredBy: "replica" };
    } catch (error) {
      this.#leave(error);
      return this.#readPrimary(work);
    }
  }

  async #readPrimary<Result>(work: (db: Database) => Promise<Result>): Promise<Answer<Result>> {
    return { result: await work(this.primary), answeredBy: "primary" };
  }

  /** Asks the replica again and again while it is not fit. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!this.#isFit) {
        await this.#try().catch((error: unknown) =>
          this.#tell("DATABASE_READ_URL cannot be used; DATABASE_URL answers", error),
        );
      }
      await delay(REST_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #try(): Promise<void> {
    const position = await this.#position().catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
    // Without the primary, nothing can be said of the replica.
    if (!position) return;
    try {
      await this.#catchUp(position);
      this.#isFit = true;
      this.#tell("DATABASE_READ_URL answers lists, exports, usage and history");
    } catch (error) {
      this.#leave(error);
    }
  }

  async #position(): Promise<Position> {
    const { rows } = await this.primary.listPool.query<Position>(POSITION);
    return rows[0] as Position;
  }

  /** Waits until the replica has all that is before a position. */
  async #catchUp({ lsn, history }: Position): Promise<void> {
    const asked = { text: STATE, values: [lsn], query_timeout: ANSWER_TIMEOUT_MS };
    for (const deadline = Date.now() + LONGEST_WAIT_MS; ; await delay(POLL_MS)) {
      const { rows } = await this.replica.listPool.query<State>(asked);
      const state = rows[0] as State;
      if (!state.isStandby) throw new Unfit("is no replica");
      if (state.history !== history) throw new Unfit("is a replica of another database, or of a former primary");
      if (state.isCurrent) return;
      if (Date.now() > deadline) throw new Unfit("is behind");
    }
  }

  /** @throws what is no failure of the replica. */
  #leave(error: unknown): void {
    if (!(error instanceof Unfit) && !isDatabaseUnavailable(error)) throw error;
    this.#isFit = false;
    const reason = error instanceof Unfit ? error.message : "cannot be read";
    this.#tell(`DATABASE_READ_URL ${reason}; DATABASE_URL answers`, error);
  }

  /** Says once how things stand. */
  #tell(text: string, error?: unknown): void {
    if (text === this.#told) return;
    this.#told = text;
    if (error === undefined) this.log.info(text);
    else this.log.warn({ err: error }, text);
  }
}
