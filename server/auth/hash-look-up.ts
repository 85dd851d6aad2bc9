import { BatchQueue } from "../batch-queue";
import { arrayParameter } from "../db/array-parameter";

/** What a statement found for the item at a place of its list. Places begin at 1, as those of `WITH ORDINALITY`. */
export interface FoundAtPlace<Found> {
  place: number;
  found: Found;
}

/** The most look-ups of one statement, and the most statements at once. See docs/decisions/key-batches.md. */
const MOST_AT_ONCE = 256;
const LANES = 2;

/**
 * Looks up what belongs to the hashes of key values. Look-ups that wait at the same time share statements, and the
 * same hash is asked for once. Nothing is remembered: a statement answers only look-ups that were asked for before it
 * began, so each sees what was committed before it was asked.
 */
export class HashLookUp<Asked extends { hash: Buffer }, Found> {
  readonly #queue: BatchQueue<Asked, Found | undefined>;

  /**
   * @param queue the name in metrics and traces.
   * @param findAll looks up all items of a batch, each hash once.
   * @param batchOf what may stand in one batch has the same text.
   */
  constructor(
    queue: string,
    findAll: (asked: readonly Asked[]) => Promise<readonly FoundAtPlace<Found>[]>,
    batchOf: (asked: Asked) => string = () => "",
  ) {
    this.#queue = new BatchQueue({
      queue,
      nameOf: ({ hash }) => nameOf(hash),
      shardOf: batchOf,
      work: async (asked) => {
        const distinct = new Map(asked.map((each) => [nameOf(each.hash), each]));
        const found = new Map<string, Found>();
        const names = [...distinct.keys()];
        for (const { place, found: one } of await findAll([...distinct.values()])) {
          found.set(names[place - 1] as string, one);
        }
        return asked.map(({ hash }) => found.get(nameOf(hash)));
      },
      // No hash can make the statement fail, so that each alone would fail too.
      mayTryAgain: () => false,
      mostAtOnce: MOST_AT_ONCE,
      lanes: LANES,
    });
  }

  find(asked: Asked): Promise<Found | undefined> {
    return this.#queue.run(asked);
  }
}

/** The hashes as a parameter: `bytea[]`. */
export function hashesOf(asked: readonly { hash: Buffer }[]): string {
  return arrayParameter(asked.map(({ hash }) => hash));
}

function nameOf(hash: Buffer): string {
  return hash.toString("latin1");
}
