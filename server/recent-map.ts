/** A map that keeps the entries that were set last, up to a number. */
export class RecentMap<Name, Value> {
  readonly #entries = new Map<Name, Value>();

  constructor(private readonly most: number) {}

  get(name: Name): Value | undefined {
    return this.#entries.get(name);
  }

  /** Returns an entry and removes it. */
  take(name: Name): Value | undefined {
    const value = this.#entries.get(name);
    this.#entries.delete(name);
    return value;
  }

  /** Sets an entry, which is the most recent one then. */
  set(name: Name, value: Value): void {
    this.#entries.delete(name);
    this.#entries.set(name, value);
    if (this.#entries.size <= this.most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
