const ID_BYTES = 12;
/** The id of a key is so many ASCII characters (server/input/key-id.ts). */
const KEY_BYTES = 10;
const ENTRY_BYTES = ID_BYTES + KEY_BYTES;

/**
 * Which key each of the authorizations is on that were granted last. It is one block of memory, which never grows: where a
 * process has replicas, half of the authorizations are captured at another one, and a map would fill with them.
 *
 * The last bytes of an ObjectId count up in a process, so that an id takes the place of the one that was made `most` ids
 * before it.
 */
export class RecentKeys {
  readonly #entries: Buffer;

  /** @param most a power of two, 65,536 at most. */
  constructor(private readonly most: number) {
    this.#entries = Buffer.alloc(most * ENTRY_BYTES);
  }

  /** How much memory this is. */
  get bytes(): number {
    return this.#entries.length;
  }

  /**
   * @param id the ObjectId of an authorization, in lower case.
   * @param keyId the key that it is on.
   */
  set(id: string, keyId: string): void {
    const start = this.#startOf(id);
    this.#entries.write(id, start, ID_BYTES, "hex");
    this.#entries.write(keyId, start + ID_BYTES, KEY_BYTES, "latin1");
  }

  /** The key of an authorization; undefined where it is not among the last. */
  get(id: string): string | undefined {
    const start = this.#startOf(id);
    const keyStart = start + ID_BYTES;
    // An entry that nobody has written has no key.
    if (!this.#entries[keyStart] || this.#entries.toString("hex", start, keyStart) !== id) return undefined;
    return this.#entries.toString("latin1", keyStart, keyStart + KEY_BYTES);
  }

  #startOf(id: string): number {
    return (Number.parseInt(id.slice(-4), 16) % this.most) * ENTRY_BYTES;
  }
}
