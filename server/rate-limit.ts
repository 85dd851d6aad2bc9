const WINDOW_MS = 60_000;

/** How much of a rate limit is left. */
export interface RateState {
  limit: number;
  /** How many more requests may be made in this window. */
  remaining: number;
  /** Whole seconds until the next window begins. */
  resetSeconds: number;
  isExceeded: boolean;
}

/** Counts the requests of keys. */
export interface RequestCount {
  /** Counts one request. One that is refused counts too. */
  count(name: string): RateState | Promise<RateState>;
}

/**
 * Counts requests by name in windows of one minute, which are the same for all names. It counts in the memory of this
 * process alone. Where several workers serve, the primary process counts for all of them.
 */
export class RateLimit implements RequestCount {
  #windowBegan = Number.NEGATIVE_INFINITY;
  #counts = new Map<string, number>();

  /** @param now the time in milliseconds, from a clock that never steps back. */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  count(name: string): RateState {
    const now = this.now();
    if (now >= this.#windowBegan + WINDOW_MS) {
      this.#windowBegan = now;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return {
      limit: this.perMinute,
      remaining: Math.max(0, this.perMinute - count),
      resetSeconds: Math.max(1, Math.ceil((WINDOW_MS - (now - this.#windowBegan)) / 1000)),
      isExceeded: count > this.perMinute,
    };
  }
}
