/**
 * A map that keeps the entries that were set last: at least half as many as its bound. It is two maps, and when the newer
 * one is half full, the older one is dropped whole. To take out the oldest entry of a full map takes longer, because V8 looks
 * for it behind the places of all that were deleted before.
 */
export class RecentMap<Name, Value extends object> {
  #newer = new Map<Name, Value>();
  #newerWeight = 0;
  #older = new Map<Name, Value>();
  #olderWeight = 0;

  /**
   * @param most the most entries; with weights, what they weigh together, apart from one entry that may come on top.
   * @param weightOf what a value weighs. It must not change.
   */
  constructor(
    readonly most: number,
    private readonly weightOf: (value: Value) => number = () => 1,
  ) {}

  /** What the entries weigh together. One that was set again counts twice until the older map is dropped. */
  get weight(): number {
    return this.#newerWeight + this.#olderWeight;
  }

  get(name: Name): Value | undefined {
    return this.#newer.get(name) ?? this.#older.get(name);
  }

  /** The value of an entry, which is as recent as one that is set now. */
  use(name: Name): Value | undefined {
    const recent = this.#newer.get(name);
    if (recent !== undefined) return recent;
    const value = this.#older.get(name);
    if (value !== undefined) this.set(name, value);
    return value;
  }

  /** Sets an entry, which is the most recent one then. */
  set(name: Name, value: Value): void {
    const replaced = this.#newer.get(name);
    if (replaced === value) return;
    this.#newer.set(name, value);
    this.#newerWeight += this.weightOf(value) - (replaced === undefined ? 0 : this.weightOf(replaced));
    if (this.#newerWeight < this.most / 2) return;
    [this.#older, this.#olderWeight] = [this.#newer, this.#newerWeight];
    [this.#newer, this.#newerWeight] = [new Map(), 0];
  }

  delete(name: Name): void {
    const newer = this.#newer.get(name);
    const older = this.#older.get(name);
    if (newer !== undefined) {
      this.#newerWeight -= this.weightOf(newer);
      this.#newer.delete(name);
    }
    if (older !== undefined) {
      this.#olderWeight -= this.weightOf(older);
      this.#older.delete(name);
    }
  }
}
