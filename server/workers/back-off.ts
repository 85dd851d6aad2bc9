const SHORTEST_MS = 1_000;
const LONGEST_MS = 30_000;
/** A worker that has lived so long was sound: what ends it then has nothing to do with earlier ends. */
const SOUND_MS = 60_000;

/** How long to wait before a worker is replaced that ends again and again. */
export class BackOff {
  #ends = 0;

  /**
   * Notes that a worker has ended.
   * @param livedMs for how many milliseconds it has lived.
   * @returns the milliseconds to wait: none at first, then 1 s, and twice as long each time, up to 30 s.
   */
  pauseAfter(livedMs: number): number {
    if (livedMs >= SOUND_MS) this.#ends = 0;
    const pause = this.#ends === 0 ? 0 : Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (this.#ends - 1));
    this.#ends++;
    return pause;
  }
}
