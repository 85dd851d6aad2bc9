import { arrayParameter } from "../db/array-parameter";
import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { measureRemembered } from "../metrics/remembered";
import { RecentMap } from "../recent-map";
import type { AccountId } from "./account-id";
import { HashLookUp, hashesOf } from "./hash-look-up";
import { FIND_ROUTES } from "./statements/find-routes";

/** One key of one account. */
export interface KeyReference {
  accountId: AccountId;
  keyId: string;
}

/** A text that names a key, for maps. */
export function nameOfKey({ accountId, keyId }: KeyReference): string {
  return `${accountId} ${keyId}`;
}

/** The accounts and the ids of keys: the first two parameters of every statement that looks keys up. */
export function namesOf(asked: readonly { key: KeyReference }[]): string[] {
  return [arrayParameter(asked.map(({ key }) => key.accountId)), arrayParameter(asked.map(({ key }) => key.keyId))];
}

/** In the memory of the process: docs/operations.md#memory. */
const MOST_REMEMBERED = 50_000;

/**
 * The key that a value was made for, whatever became of the two since. This never changes, so it is remembered. Whether the
 * value is valid is another question, and is asked each time.
 *
 * Whoever presents a value of a key may spend of it, so for this purpose the value stands for the account. There is one for a
 * process.
 */
export class KeyOwners {
  readonly #known = new RecentMap<string, KeyReference>(MOST_REMEMBERED);
  readonly #lookUp: HashLookUp<{ hash: Buffer }, KeyReference>;

  constructor({ lookUpPool }: Pick<Database, "lookUpPool">) {
    measureRemembered("key_owners", this.#known);
    this.#lookUp = new HashLookUp("key_owners", async (asked) => {
      const rows = await runOnPool(lookUpPool, FIND_ROUTES, [hashesOf(asked)]);
      const places = new Map(asked.map(({ hash }, i) => [hash.toString("hex"), i + 1]));
      return rows.map((row) => ({ place: places.get(row.hash.toString("hex")) ?? 0, found: keyOfRow(row) }));
    });
  }

  /**
   * The key, at once where it is remembered. Undefined when no key has this value.
   * @param hash SHA-256 of the value, in hexadecimal with small letters.
   */
  find(hash: string): KeyReference | Promise<KeyReference | undefined> {
    const known = this.#known.use(hash);
    if (known) return known;
    return this.#lookUp.find({ hash: Buffer.from(hash, "hex") }).then((key) => {
      // Only what is there: a value that is unknown now may be made later.
      if (key) this.#known.set(hash, key);
      return key;
    });
  }
}

/** The key that a row belongs to, for work that the process does for every account by itself, as upkeep does. */
export function keyOfRow({ account_id, key_id }: { account_id: string; key_id: string }): KeyReference {
  return { accountId: account_id as AccountId, keyId: key_id };
}
