/** How a coalescer works on the waiting items of one target. */
export interface Coalescing<Target, Item, Result> {
  /** Names a target. Items of targets with one name are worked on together. */
  nameOf(target: Target): string;
  /** Does the work of several items at once. Its results are in the order of the items. */
  work(target: Target, items: Item[]): Promise<Result[]>;
  /** The most items that are worked on at once. */
  mostAtOnce: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Does one piece of work at a time for each target. Items that arrive meanwhile wait, and are worked on together. An
 * item that finds its target free starts at once: nothing waits for more items to come.
 */
export class Coalescer<Target, Item, Result> {
  readonly #queues = new Map<string, Waiting<Item, Result>[]>();

  constructor(private readonly coalescing: Coalescing<Target, Item, Result>) {}

  /** Works on one item, alone or with others of its target. Rejects when the work rejects. */
  run(target: Target, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const name = this.coalescing.nameOf(target);
      const queue = this.#queues.get(name);
      if (queue) queue.push(waiting);
      else {
        const started = [waiting];
        this.#queues.set(name, started);
        void this.#drain(name, target, started);
      }
    });
  }

  async #drain(name: string, target: Target, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, this.coalescing.mostAtOnce);
      try {
        const results = await this.coalescing.work(
          target,
          batch.map(({ item }) => item),
        );
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // There is no await between the last check of the queue and this line, so no item is lost.
    this.#queues.delete(name);
  }
}
