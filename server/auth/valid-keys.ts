import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { HashLookUp, hashesOf } from "./hash-look-up";
import { KeyOwners, type KeyReference, namesOf } from "./key-owner";
import type { KnownSpenders } from "./known-spenders";
import { FIND_CALLERS } from "./statements/find-callers";

/** A valid key. */
export interface ValidKey extends KeyReference {
  isDefault: boolean;
  /** Whether the value that was presented is in its time of grace: the key has a newer one. */
  isInGrace: boolean;
}

/** A value of a key, and the key that it was made for. */
interface PresentedValue {
  key: KeyReference;
  /** SHA-256 of the value. */
  hash: Buffer;
}

/** The parameters of the statements that ask whether values open valid keys. */
export function callersOf(asked: readonly PresentedValue[]): string[] {
  return [...namesOf(asked), hashesOf(asked)];
}

/** Finds the keys that are valid now, by the database's clock. There is one for a process. */
export class ValidKeys {
  readonly #lookUp: HashLookUp<PresentedValue, Pick<ValidKey, "isDefault" | "isInGrace">>;

  /** @param knownSpenders gets to know the default keys that are found valid. Undefined: nobody does. */
  constructor(
    db: Pick<Database, "lookUpPool" | "distribution">,
    private readonly owners: KeyOwners = new KeyOwners(db),
    private readonly knownSpenders?: KnownSpenders,
  ) {
    this.#lookUp = new HashLookUp(
      "callers",
      async (asked) => {
        const rows = await runOnPool(db.lookUpPool, FIND_CALLERS, callersOf(asked));
        return rows.map(({ place, is_default, is_in_grace }) => ({
          place,
          found: { isDefault: is_default, isInGrace: is_in_grace },
        }));
      },
      ({ key }) => db.distribution.batchOf(key.accountId),
    );
  }

  /**
   * The key that a value opens. Undefined when the value or the key is not valid.
   * @param hash SHA-256 of the value.
   */
  async find(hash: Buffer): Promise<ValidKey | undefined> {
    const key = await this.owners.find(hash.toString("hex"));
    const found = key && (await this.#lookUp.find({ hash, key }));
    if (!found) return undefined;
    if (found.isDefault) this.knownSpenders?.note({ hash, spender: key.accountId, key });
    return { accountId: key.accountId, keyId: key.keyId, ...found };
  }
}
