import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "./client";
import { DatabaseNotReady } from "./failure";
import { type Outage, outage, outageOf } from "./outage";
import type { DiskFault } from "./postmaster";
import { Probe } from "./probe";

const BEAT_MS = 1_000;
/** After so many beats without any sign of life, what waits for the database is given up. */
const SILENT_BEATS = 5;
/** Who asks for readiness is answered in this time. */
const ANSWER_WITHIN_MS = 950;
/** For so long after somebody asked for readiness, writes are tried at each beat. */
const WATCHED_MS = 15_000;
/** No reason is logged more often, however fast reasons change. */
const EXHAUSTION_PAUSE_MS = 1_000;

const READ = `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS is_read_only`;
/** Another process that writes at this moment proves the same. Waiting for it would look like a database that hangs. */
const WRITE = `INSERT INTO readiness (id) VALUES (1) ON CONFLICT DO NOTHING;
  UPDATE readiness SET probed_at = now()
  WHERE id = (SELECT id FROM readiness WHERE id = 1 FOR UPDATE SKIP LOCKED)`;
/** Makes the table's file grow by 1 MB, which a full disk refuses. A change of a row alone needs no room. */
const GROW = `BEGIN;
  INSERT INTO readiness (id, padding) SELECT -each, repeat('x', 7500) FROM generate_series(1, 130) AS each;
  ROLLBACK; ${WRITE}`;

export interface HeartbeatOptions {
  url: string;
  db: Pick<Database, "pools">;
  log: Logger;
  /** What keeps the process from serving although the database answers. */
  preparing(): Outage | undefined;
  /** What the disk of the database lacks for its start. Absent: this process does not see that disk. */
  diskFault: (() => Promise<DiskFault | undefined>) | undefined;
}

/** How a PostgreSQL looks from outside that has ended, or repairs itself, because of its disk. */
const ENDED: ReadonlySet<Outage["cause"]> = new Set([
  "database_unreachable",
  "database_connection_lost",
  "database_starting",
]);

/**
 * Watches the database once a second on connections of its own. It tells whether the process can serve (`/readyz`), logs
 * each cause why it cannot, and ends what waits for a database that gives no sign of life, so that requests are
 * answered with 503 within 10 s. A statement that takes long is not ended: the database answers others meanwhile.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #reader: Probe;
  readonly #writer: Probe;
  readonly #stop = new AbortController();
  /** Beats without a sign of life. Not a time: after this process was stopped itself, the answers are there to be read. */
  #silentBeats = 0;
  #hasAnswered = false;
  #isDiskFull = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #logged: Outage["cause"] | undefined;
  #exhaustedAt = Number.NEGATIVE_INFINITY;
  #beating: Promise<void> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#reader = new Probe(options.url);
    this.#writer = new Probe(options.url);
    for (const pool of options.db.pools) {
      pool.refusal = () => (this.#isSilent || options.preparing() ? new DatabaseNotReady() : undefined);
      pool.onError = (code) => {
        if (code === "53100") this.#isDiskFull = true;
        // A connection that was made before may not notice.
        if (outageOf({ code }).cause !== "database_files") return;
        this.#reader.renew();
        this.#writer.renew();
      };
      pool.onExhausted = (counts) => {
        if (performance.now() - this.#exhaustedAt < EXHAUSTION_PAUSE_MS) return;
        this.#exhaustedAt = performance.now();
        options.log.warn({ cause: "pool_exhausted", ...counts }, "no connection became free within 3 seconds");
      };
    }
  }

  start(): void {
    this.#beating ??= this.#beat();
  }

  /** Why the process cannot serve now; undefined where it can. Answers within a second. */
  async check(): Promise<Outage | undefined> {
    this.#askedAt = performance.now();
    if (this.#isSilent) return this.#report(outage("database_silent"));
    const found = Promise.all([this.#read(), this.#options.preparing() ? undefined : this.#write()]);
    // A process that was busy for so long, as with the first page, reads the answer that has arrived before it judges.
    const late = delay(ANSWER_WITHIN_MS, undefined, { ref: false }).then(() => immediate());
    const answers = await Promise.race([found, late]);
    const [read, written] = answers ?? [outage("database_silent")];
    return this.#report(read ?? this.#options.preparing() ?? written);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#beating;
    await Promise.all([this.#reader.close(), this.#writer.close()]);
  }

  get #isSilent(): boolean {
    return this.#silentBeats >= SILENT_BEATS;
  }

  async #beat(): Promise<void> {
    const { signal } = this.#stop;
    let missed = 0;
    while (!signal.aborted) {
      const isWatched = performance.now() - this.#askedAt < WATCHED_MS;
      const writes = !this.#options.preparing() && (isWatched || this.#isDiskFull || this.#logged !== undefined);
      const found = Promise.all([this.#read(), writes ? this.#write() : undefined]);
      const begun = performance.now();
      const answers = await Promise.race([
        found,
        delay(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined),
      ]);
      if (signal.aborted) return;
      missed = answers ? 0 : missed + 1;
      if (answers) {
        this.#report(answers[0] ?? this.#options.preparing() ?? answers[1]);
        await delay(Math.max(0, BEAT_MS - (performance.now() - begun)), undefined, { signal, ref: false }).catch(
          () => {},
        );
      } else if (missed > 1) {
        // A single answer may be late on a busy machine.
        this.#report(outage("database_silent"));
      }
      this.#listen();
    }
  }

  /** Counts the beats without a sign of life: no answer to the reader, and nothing received on any connection. */
  #listen(): void {
    const { db, log } = this.#options;
    const hasReceived = db.pools.map((pool) => pool.hasReceived()).includes(true);
    this.#silentBeats = this.#hasAnswered || hasReceived ? 0 : this.#silentBeats + 1;
    this.#hasAnswered = false;
    if (this.#silentBeats !== SILENT_BEATS) return;
    for (const pool of db.pools) pool.cut();
    log.error({ cause: "database_silent" }, "the database does not answer; what waits for it is ended");
  }

  async #read(): Promise<Outage | undefined> {
    try {
      const [row] = await this.#reader.run<{ is_read_only: boolean }>(READ);
      this.#noteAnswer();
      if (!row?.is_read_only) return undefined;
      // A connection keeps the setting of its role and database that it began with. A new one shows what holds now.
      void this.#reader.close();
      return outage("database_read_only");
    } catch (error) {
      const found = outageOf(error);
      if (found.cause !== "database_silent") this.#noteAnswer();
      const fault = ENDED.has(found.cause) ? await this.#options.diskFault?.() : undefined;
      return fault ? outage(fault) : found;
    }
  }

  #noteAnswer(): void {
    this.#hasAnswered = true;
    this.#silentBeats = 0;
  }

  async #write(): Promise<Outage | undefined> {
    try {
      await this.#writer.run(this.#isDiskFull ? GROW : WRITE);
      this.#isDiskFull = false;
      return undefined;
    } catch (error) {
      const found = outageOf(error);
      if (found.cause === "database_disk_full") this.#isDiskFull = true;
      return found;
    }
  }

  /** Logs a cause when it begins, and when it is over. */
  #report(found: Outage | undefined): Outage | undefined {
    // Every start begins so.
    if (found?.cause === this.#logged || found?.cause === "migrations_pending") return found;
    const { db, log } = this.#options;
    if (found) log.error({ cause: found.cause }, `not ready: ${found.message}`);
    else log.info("ready");
    // Those that were made meanwhile go on to refuse writes.
    if (!found && this.#logged === "database_read_only") for (const pool of db.pools) pool.cut();
    this.#logged = found?.cause;
    return found;
  }
}
