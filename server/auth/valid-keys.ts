import type { Pool } from "pg";
import { run } from "../db/statement";
import { HashLookUp } from "./hash-look-up";
import { FIND_CALLERS } from "./statements/find-callers";

/** A valid key. */
export interface ValidKey {
  accountId: string;
  keyId: string;
  isDefault: boolean;
  /** Whether the value that was presented is in its time of grace: the key has a newer one. */
  isInGrace: boolean;
}

/** Finds the keys that are valid now, by the database's clock. There is one for a process. */
export class ValidKeys {
  readonly #lookUp: HashLookUp<ValidKey>;

  constructor(pool: Pool) {
    this.#lookUp = new HashLookUp("callers", async (hashes) =>
      (await run(pool, FIND_CALLERS, [hashes])).map(({ place, account_id, id, is_default, is_in_grace }) => ({
        place,
        found: { accountId: account_id, keyId: id, isDefault: is_default, isInGrace: is_in_grace },
      })),
    );
  }

  /**
   * The key that a value opens. Undefined when the value or the key is not valid.
   * @param hash SHA-256 of the value.
   */
  find(hash: Buffer): Promise<ValidKey | undefined> {
    return this.#lookUp.find(hash);
  }
}
