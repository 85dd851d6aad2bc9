/** A comparison in vain costs about twice what another one saves. Above so much of a loss, the next comparison waits. */
const LOSS_TAKEN = 6;
/** With this loss 64 batches are read before the next comparison. */
const MOST_LOSS = LOSS_TAKEN + 6;

/**
 * Says whether to compare the keys of a batch with what is known of them, or to read them. Where others decide on the same keys
 * at random, most comparisons are in vain. They are made rarely then, to find out when that ends.
 */
export class Comparisons {
  /** What comparisons in vain have cost and the others have not saved. */
  #loss = 0;
  /** How many batches are read before the next comparison. */
  #pause = 0;

  /** Whether the next batch may be compared. Each batch asks once. */
  next(): boolean {
    if (this.#pause === 0) return true;
    this.#pause--;
    return false;
  }

  /** @param isInVain whether others had changed a key of the batch. */
  learn(isInVain: boolean): void {
    this.#loss = isInVain ? Math.min(this.#loss + 2, MOST_LOSS) : Math.max(0, this.#loss - 1);
    this.#pause = this.#loss > LOSS_TAKEN ? 2 ** (this.#loss - LOSS_TAKEN) : 0;
  }
}
