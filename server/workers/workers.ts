import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { ConfigError, type DatabaseUrls } from "../config";
import { countDropped, openLogOutput } from "../log";
import type { RateLimit } from "../rate-limit";
import { BackOff } from "./back-off";
import { deferred } from "./deferred";
import { followHandedConnection } from "./handed-connection";
import { isMessage, type ToPrimary, type ToWorker } from "./messages";
import { Scrapes } from "./scrapes";
import { WholeLines } from "./whole-lines";

/** A worker cannot start. The message says why. */
class WorkerFailed extends Error {}

/** After this, a worker that was told to stop is killed. It is longer than a worker takes to give up what is under way. */
const STOP_DEADLINE_MS = 20_000;

/** The place of one worker. When it ends, another one takes it. */
interface Place {
  number: number;
  backOff: BackOff;
  worker: Worker | undefined;
  /** Whether its worker has said hello. */
  hears: boolean;
  /** Whether its worker answers requests. */
  serves: boolean;
}

export interface WorkersOptions {
  count: number;
  /** File that a worker runs. */
  program: string;
  /** Variables that a worker has besides those of this process. */
  environment: Record<string, string>;
  log: Logger;
  /** Absent: keys have no rate limit. */
  rateLimit: RateLimit | undefined;
}

/**
 * Processes that serve on one port. This process distributes connections to them in turn (`node:cluster`), replaces one that
 * ends, and writes what they write, line by line, so that the log has one writer. See docs/decisions/workers.md.
 */
export class Workers {
  /** Resolves when the first one serves. Rejects with {WorkerFailed} or {ConfigError} when one cannot start before that. */
  get serving(): Promise<void> {
    return this.#serving.promise;
  }

  readonly #serving = deferred<void>();
  readonly #places: Place[];
  readonly #output = openLogOutput(1);
  readonly #scrapes = new Scrapes();
  readonly #stopped = new AbortController();
  readonly #ended: Promise<void>[] = [];
  #database: DatabaseUrls | undefined;
  #hasServed = false;
  #mustGreet = true;
  #isMigrationTold = false;

  constructor(private readonly options: WorkersOptions) {
    countDropped(this.#output, options.log);
    cluster.setupPrimary({ exec: options.program, args: [], silent: true });
    this.#places = Array.from({ length: options.count }, (_, i) => ({
      number: i + 1,
      backOff: new BackOff(),
      worker: undefined,
      hears: false,
      serves: false,
    }));
    for (const place of this.#places) this.#fill(place);
  }

  /** Tells all workers which database they use. Until then, requests wait. */
  serve(database: DatabaseUrls): void {
    this.#database = database;
    for (const place of this.#places) send(place, { kind: "serve", database });
  }

  /** Ends all workers; each finishes what is under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const place of this.#places) send(place, { kind: "stop" });
    const kill = setTimeout(() => {
      for (const { worker } of this.#places) worker?.process.kill("SIGKILL");
    }, STOP_DEADLINE_MS);
    await Promise.all(this.#ended);
    clearTimeout(kill);
  }

  #fill(place: Place): void {
    const { log } = this.options;
    const begun = performance.now();
    const worker = cluster.fork(this.options.environment);
    const closeHandedConnection = followHandedConnection(worker);
    const { stdout, stderr } = worker.process;
    const lines = new WholeLines();
    let failure: Extract<ToPrimary, { kind: "failed" }> | undefined;
    place.worker = worker;
    place.hears = false;
    place.serves = false;
    stdout?.on("data", (chunk: Buffer) => this.#write(lines.add(chunk)));
    stderr?.pipe(process.stderr, { end: false });
    worker.on("error", (error) => log.error({ err: error, worker: place.number }, "a worker cannot be reached"));
    worker.on("message", (message: unknown) => {
      if (!isMessage<ToPrimary>(message)) return;
      if (message.kind === "failed") failure = message;
      else this.#receive(place, message);
    });
    const ended = new Promise<void>((resolve) => {
      // By then all that it has written was read.
      worker.process.once("close", (code, signal) => {
        this.#write(lines.end());
        closeHandedConnection();
        place.worker = undefined;
        resolve();
        if (this.#stopped.signal.aborted) return;
        if (failure !== undefined && !this.#hasServed) {
          return this.#serving.reject(new (failure.isSetting ? ConfigError : WorkerFailed)(failure.message));
        }
        const pause = place.backOff.pauseAfter(performance.now() - begun);
        const end = { worker: place.number, code, signal, ...(failure !== undefined && { reason: failure.message }) };
        log.error({ ...end, pause_ms: pause }, "a worker ended; another takes its place");
        void this.#refill(place, pause);
      });
    });
    this.#ended[place.number - 1] = ended;
  }

  async #refill(place: Place, pause: number): Promise<void> {
    await delay(pause, undefined, { signal: this.#stopped.signal }).catch(() => {});
    if (!this.#stopped.signal.aborted) this.#fill(place);
  }

  #receive(place: Place, message: Exclude<ToPrimary, { kind: "failed" }>): void {
    const { rateLimit } = this.options;
    if (message.kind === "hello") {
      place.hears = true;
      send(place, { kind: "begin", number: place.number });
      if (this.#database) send(place, { kind: "serve", database: this.#database });
      if (this.#stopped.signal.aborted) send(place, { kind: "stop" });
    } else if (message.kind === "ready") {
      this.#hasServed = true;
      place.serves = true;
      if (this.#mustGreet) send(place, { kind: "greet" });
    } else if (message.kind === "migrated") {
      // Each worker tells it.
      if (this.#isMigrationTold) return;
      this.#isMigrationTold = true;
      this.#mustGreet = true;
      send(place, { kind: "greet" });
    } else if (message.kind === "count" && rateLimit) {
      const states = message.names.map((name) => rateLimit.count(name));
      send(place, { kind: "counted", ask: message.ask, states });
    } else if (message.kind === "scrape") void this.#scrape(place, message.ask);
    else if (message.kind === "measured") this.#scrapes.add(message.scrape, message.values);
    else if (message.kind === "greeting" && this.#mustGreet) {
      this.#mustGreet = false;
      // The set-up link is for the person at the terminal, and never stands in the log.
      this.#write(`${message.text}\n`);
      this.#serving.resolve();
    }
  }

  async #scrape(place: Place, ask: number): Promise<void> {
    const serving = this.#places.filter(({ serves, worker }) => serves && worker);
    const text = await this.#scrapes.collect(serving.length, (scrape) => {
      for (const each of serving) send(each, { kind: "measure", scrape });
    });
    send(place, { kind: "metrics", ask, text });
  }

  #write(text: string): void {
    if (text !== "") this.#output.write(text);
  }
}

/** A worker gets what it needs when it says hello, also the one that takes the place of a worker that ends at this moment. */
function send({ worker, hears }: Place, message: ToWorker): void {
  if (hears && worker?.isConnected()) worker.send(message, () => {});
}
