import type { Pool } from "pg";
import { run } from "../db/statement";
import type { AccountId } from "./account-id";
import { HashLookUp } from "./hash-look-up";
import { FIND_KEY_OWNERS } from "./statements/find-key-owners";

/** One key of one account. */
export interface KeyReference {
  accountId: AccountId;
  keyId: string;
}

/**
 * The key that a value was made for, whatever became of the two since. This never changes, so a process may remember it.
 * Whoever presents a value of a key may spend of it, so for this purpose the value stands for the account.
 */
export class KeyOwners {
  readonly #lookUp: HashLookUp<KeyReference>;

  constructor(pool: Pool) {
    this.#lookUp = new HashLookUp("key_owners", async (hashes) =>
      (await run(pool, FIND_KEY_OWNERS, [hashes])).map((row) => ({ place: row.place, found: keyOfRow(row) })),
    );
  }

  /**
   * Undefined when no key has this value.
   * @param hash SHA-256 of the value.
   */
  find(hash: Buffer): Promise<KeyReference | undefined> {
    return this.#lookUp.find(hash);
  }
}

/** The key that a row belongs to, for work that the process does for every account by itself, as upkeep does. */
export function keyOfRow({ account_id, key_id }: { account_id: string; key_id: string }): KeyReference {
  return { accountId: account_id as AccountId, keyId: key_id };
}
