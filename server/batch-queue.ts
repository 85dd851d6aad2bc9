import { batchMeter } from "./metrics/batches";
import { activeTracing } from "./tracing/active-tracing";
import type { RequestSpan } from "./tracing/tracing";

/** How a queue works on its items. */
export interface Batching<Item, Result> {
  /** The name of the queue in metrics and traces. */
  queue: string;
  /** Items of one name are worked on in their order, never in two batches at once. */
  nameOf(item: Item): string;
  /** Only items of one shard may stand in one batch. */
  shardOf(item: Item): string;
  /**
   * Works on a batch. Its results are in the order of the items. A result may be a promise, for an item that has to wait
   * for something: the next batch can start then, and only the items of the same name wait for the promise.
   */
  work(batch: Item[]): Promise<(Result | Promise<Result>)[]>;
  /**
   * Whether the items of a batch that failed may be tried once more, one by one, so that a bad item fails alone. It must say
   * no when the batch may have taken effect, and when it had a `count` of one and would fail alike again.
   */
  mayTryAgain(error: unknown, count: number): boolean;
  /** The most items of one batch. */
  mostAtOnce: number;
  /** The most batches at once. */
  lanes: number;
  /** Absent: one owner may have all lanes. The items of a shard have one owner. */
  owners?: { ownerOf(item: Item): string; lanes: number };
}

interface Waiting<Item, Result> {
  name: string;
  item: Item;
  /** When it came, in milliseconds of `performance.now()`. */
  since: number;
  /** The span of its request, where requests are traced. */
  span: RequestSpan | undefined;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** A batch under way. */
interface Lane {
  shard: string;
  owner: string | undefined;
  /** How many names it has. */
  names: number;
}

/** A batch takes at least so many names where they are free, because a batch costs something however few it has. */
const LEAST_NAMES = 16;
/** A small batch waits at most so long while another one is under way. */
const PATIENCE_MS = 5;

/**
 * Works on items in batches. When no batch is under way, what waits becomes the next one at once, also a single item. Beside
 * another batch, a lane takes its part of the names, or waits a moment for them. See docs/decisions/batches.md#two-lanes.
 */
export class BatchQueue<Item, Result> {
  /** What waits, by name. The name that waits longest comes first. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();
  /** The names that a batch works on. */
  readonly #busy = new Set<string>();
  /** The batches under way. A name that waits for something afterwards is busy, and in no lane. */
  readonly #lanes = new Set<Lane>();
  #isScheduled = false;
  /** Starts what waits for the end of another batch, when that takes long. */
  #patience: NodeJS.Timeout | undefined;
  readonly #meter;

  constructor(private readonly batching: Batching<Item, Result>) {
    this.#meter = batchMeter(batching.queue);
  }

  /** Works on one item, alone or with others. Rejects when the work on it fails. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const name = this.batching.nameOf(item);
      const span = activeTracing()?.currentSpan();
      const waiting = { name, item, since: performance.now(), span, resolve, reject };
      this.#meter.wait();
      const queue = this.#waiting.get(name);
      if (queue) queue.push(waiting);
      else this.#waiting.set(name, [waiting]);
      this.#schedule();
    });
  }

  /** Starts batches when the requests that have already arrived are read, so that they can stand in one batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startBatches();
    });
  }

  #startBatches(): void {
    while (this.#lanes.size < this.batching.lanes) {
      const waits = this.#timeToStart();
      if (waits === undefined) return;
      if (waits > 0) {
        this.#startLater(waits);
        return;
      }
      void this.#process(this.#take());
    }
  }

  /**
   * How many milliseconds a free lane waits before it takes the names that are free; undefined where none is. Few names beside
   * a large batch would cost the database more than half of what that batch costs. They start together with its names when it
   * ends, or when more have come.
   */
  #timeToStart(): number | undefined {
    let oldest: Waiting<Item, Result> | undefined;
    let shard = "";
    let inLanes = 0;
    let names = 0;
    for (const [name, [first]] of this.#waiting) {
      if (!first || !this.#mayStart(name, first.item)) continue;
      if (oldest === undefined) {
        oldest = first;
        shard = this.batching.shardOf(first.item);
        for (const lane of this.#lanes) if (lane.shard === shard) inLanes += lane.names;
      }
      if (this.batching.shardOf(first.item) === shard) names++;
      if (names >= inLanes) return 0;
    }
    if (oldest === undefined) return undefined;
    if (names >= Math.floor((names + inLanes) / this.batching.lanes)) return 0;
    return Math.max(0, Math.ceil(oldest.since + PATIENCE_MS - performance.now()));
  }

  /** Whether no batch works on the name, and its owner may have one more lane. */
  #mayStart(name: string, item: Item): boolean {
    if (this.#busy.has(name)) return false;
    const { owners } = this.batching;
    if (!owners) return true;
    const owner = owners.ownerOf(item);
    return [...this.#lanes].filter((lane) => lane.owner === owner).length < owners.lanes;
  }

  #startLater(ms: number): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      this.#startBatches();
    }, ms);
  }

  /** Takes the items of the next batch from the queue: those of one shard whose name is not busy. */
  #take(): Waiting<Item, Result>[] {
    const { mostAtOnce, shardOf, lanes } = this.batching;
    // A batch of all names leaves nothing to the other lanes: all its callers get their answers at once and come back at
    // once, so that the process waits for the database, and then the database for the process. Of few names it may take all.
    const names = [...this.#lanes].reduce((sum, lane) => sum + lane.names, this.#waiting.size);
    let namesLeft = Math.max(LEAST_NAMES, Math.ceil(names / lanes));
    const batch: Waiting<Item, Result>[] = [];
    let shard: string | undefined;
    for (const [name, queue] of this.#waiting) {
      const [first] = queue;
      if (!first || !this.#mayStart(name, first.item)) continue;
      shard ??= shardOf(first.item);
      if (shardOf(first.item) !== shard) continue;
      batch.push(...queue.splice(0, mostAtOnce - batch.length));
      this.#busy.add(name);
      // A name with more items than fit goes to the end, so that it cannot keep the others waiting.
      this.#waiting.delete(name);
      if (queue.length > 0) this.#waiting.set(name, queue);
      if (batch.length === mostAtOnce || --namesLeft === 0) break;
    }
    return batch;
  }

  async #process(batch: Waiting<Item, Result>[]): Promise<void> {
    const names = new Set(batch.map(({ name }) => name));
    const [{ item }] = batch as [Waiting<Item, Result>];
    const { shardOf, owners } = this.batching;
    const lane = { shard: shardOf(item), owner: owners?.ownerOf(item), names: names.size };
    this.#lanes.add(lane);
    const oldest = batch.reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY);
    this.#meter.begin(batch.length, performance.now() - oldest);
    const unsettled = new Map<string, Promise<unknown>[]>();
    let settle = () => {};
    try {
      const results = await this.#workOn(batch);
      for (const [i, { name }] of batch.entries()) {
        const result = results[i];
        if (result instanceof Promise) unsettled.set(name, [...(unsettled.get(name) ?? []), result]);
      }
      settle = () => {
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result | Promise<Result>);
      };
    } catch (error) {
      this.#meter.fail();
      if (this.batching.mayTryAgain(error, batch.length)) await this.#tryOneByOne(batch);
      else {
        settle = () => {
          for (const { reject } of batch) reject(error);
        };
      }
    }
    this.#lanes.delete(lane);
    for (const name of names) if (!unsettled.has(name)) this.#busy.delete(name);
    for (const [name, results] of unsettled) void this.#freeAfter(name, results);
    try {
      this.#startBatches();
    } finally {
      // What the next batch asks is sent first. So the database works while the answers are written.
      process.nextTick(settle);
    }
  }

  /** The work runs for the requests of the batch, and not for the request whose call has started the batch. */
  #workOn(batch: Waiting<Item, Result>[]): Promise<(Result | Promise<Result>)[]> {
    const work = () => this.batching.work(batch.map(({ item }) => item));
    const tracing = activeTracing();
    if (tracing === undefined) return work();
    return tracing.traceBatch(
      this.batching.queue,
      batch.map(({ span }) => span),
      work,
    );
  }

  async #tryOneByOne(batch: Waiting<Item, Result>[]): Promise<void> {
    for (const waiting of batch) {
      const { resolve, reject } = waiting;
      try {
        const [result] = await this.#workOn([waiting]);
        resolve(await (result as Result | Promise<Result>));
      } catch (error) {
        reject(error);
      }
    }
  }

  async #freeAfter(name: string, results: Promise<unknown>[]): Promise<void> {
    await Promise.allSettled(results);
    this.#busy.delete(name);
    this.#startBatches();
  }
}
