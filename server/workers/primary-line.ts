import type { DatabaseUrls } from "../config";
import type { RateState, RequestCount } from "../rate-limit";
import { deferred } from "./deferred";
import { isMessage, type ToPrimary, type ToWorker } from "./messages";

/** The line of a worker to the primary process, which has started it. */
export class PrimaryLine {
  /** The number of this worker, from 1 on. */
  readonly number: Promise<number>;
  /** Waits until the primary process has the database and has applied the migrations, or has tried to. */
  readonly database: Promise<DatabaseUrls>;
  readonly #asked = new Map<number, ((state: RateState) => void)[]>();
  #waiting: { name: string; resolve: (state: RateState) => void }[] = [];
  #asks = 0;
  readonly #scrapes = new Map<number, (text: string) => void>();

  /**
   * @param greeting makes the text for the terminal. Undefined: this worker does not serve yet.
   * @param stop is called when this worker has to end.
   */
  constructor(greeting: () => Promise<string | undefined>, stop: () => void) {
    const begun = deferred<number>();
    const assigned = deferred<DatabaseUrls>();
    this.number = begun.promise;
    this.database = assigned.promise;
    const greet = async () => {
      const text = await greeting();
      if (text !== undefined) await this.send({ kind: "greeting", text });
    };
    process.on("message", (message) => {
      if (!isMessage<ToWorker>(message)) return;
      switch (message.kind) {
        case "begin":
          return begun.resolve(message.number);
        case "serve":
          return assigned.resolve(message.database);
        case "greet":
          return void greet();
        case "counted":
          return this.#answer(message.ask, message.states);
        case "measure":
          return void this.#measure(message.scrape);
        case "metrics":
          this.#scrapes.get(message.ask)?.(message.text);
          return void this.#scrapes.delete(message.ask);
        case "stop":
          stop();
          return assigned.reject(new Error("the primary process stops"));
      }
    });
    void this.send({ kind: "hello" });
  }

  /** Resolves when the message is on its way. When the primary process has ended, Node.js ends this one. */
  send(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
  }

  /** Counts requests of keys in the primary process, for all workers together. */
  get requestCount(): RequestCount {
    return { count: (name) => this.#count(name) };
  }

  /** The metrics of all workers together, in the text format of Prometheus. */
  readonly metricsText = (): Promise<string> =>
    new Promise((resolve) => {
      const ask = this.#asks++;
      this.#scrapes.set(ask, resolve);
      void this.send({ kind: "scrape", ask });
    });

  async #measure(scrape: number): Promise<void> {
    // The registry is loaded with the service.
    const { metricValues } = await import("../metrics/registry");
    await this.send({ kind: "measured", scrape, values: await metricValues() });
  }

  /** Requests that arrive at the same time share a message. */
  #count(name: string): Promise<RateState> {
    return new Promise((resolve) => {
      this.#waiting.push({ name, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#ask());
    });
  }

  #ask(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const ask = this.#asks++;
    this.#asked.set(
      ask,
      waiting.map(({ resolve }) => resolve),
    );
    void this.send({ kind: "count", ask, names: waiting.map(({ name }) => name) });
  }

  #answer(ask: number, states: readonly RateState[]): void {
    const resolves = this.#asked.get(ask) ?? [];
    this.#asked.delete(ask);
    for (const [place, state] of states.entries()) resolves[place]?.(state);
  }
}
