import { BatchQueue } from "../batch-queue";

/** What a statement found for the hash at a place of its list. Places begin at 1, as those of `WITH ORDINALITY`. */
export interface FoundAtPlace<Found> {
  place: number;
  found: Found;
}

/** The most look-ups of one statement, and the most statements at once. See docs/decisions/key-batches.md. */
const MOST_AT_ONCE = 256;
const LANES = 2;

/**
 * Looks up what belongs to the hashes of key values. Look-ups that wait at the same time share one statement, and the
 * same hash is asked for once. Nothing is remembered: a statement answers only look-ups that were asked for before it
 * began, so each sees what was committed before it was asked.
 */
export class HashLookUp<Found> {
  readonly #queue: BatchQueue<Buffer, Found | undefined>;

  /** @param queue the name in metrics and traces. */
  constructor(queue: string, findAll: (hashes: Buffer[]) => Promise<FoundAtPlace<Found>[]>) {
    this.#queue = new BatchQueue({
      queue,
      nameOf: (hash) => hash.toString("latin1"),
      shardOf: () => "",
      work: async (hashes) => {
        const distinct = new Map(hashes.map((hash) => [hash.toString("latin1"), hash]));
        const found = new Map<string, Found>();
        const names = [...distinct.keys()];
        for (const { place, found: one } of await findAll([...distinct.values()])) {
          found.set(names[place - 1] as string, one);
        }
        return hashes.map((hash) => found.get(hash.toString("latin1")));
      },
      // No hash can make the statement fail, so that each alone would fail too.
      mayTryAgain: () => false,
      mostAtOnce: MOST_AT_ONCE,
      lanes: LANES,
    });
  }

  find(hash: Buffer): Promise<Found | undefined> {
    return this.#queue.run(hash);
  }
}
