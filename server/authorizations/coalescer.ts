/** Does the work of several waiting calls at once. Its results are in the order of the items. */
export type Work<Item, Result> = (key: string, items: Item[]) => Promise<Result[]>;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * One piece of work at a time for each key; what arrives meanwhile waits and is done together. A call that finds its
 * key free is not delayed: nothing ever waits for more to come.
 */
export class Coalescer<Item, Result> {
  readonly #queues = new Map<string, Waiting<Item, Result>[]>();

  constructor(
    private readonly work: Work<Item, Result>,
    private readonly mostAtOnce: number,
  ) {}

  /** Has one item done, alone or with others of its key. Rejects with what the work rejects with. */
  run(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = this.#queues.get(key);
      if (queue) queue.push(waiting);
      else {
        this.#queues.set(key, [waiting]);
        void this.#drain(key);
      }
    });
  }

  async #drain(key: string): Promise<void> {
    const queue = this.#queues.get(key) ?? [];
    while (queue.length > 0) {
      const batch = queue.splice(0, this.mostAtOnce);
      try {
        const results = await this.work(
          key,
          batch.map(({ item }) => item),
        );
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#queues.delete(key);
  }
}
