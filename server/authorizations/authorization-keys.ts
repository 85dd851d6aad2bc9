import type { AccountId } from "../auth/account-id";
import { BatchQueue } from "../batch-queue";
import { arrayParameter } from "../db/array-parameter";
import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { RecentKeys } from "./recent-keys";
import { FIND_KEYS_OF_AUTHORIZATIONS } from "./statements/read-authorizations";

/** One authorization of an account. */
interface AuthorizationReference {
  accountId: AccountId;
  /** ObjectId. */
  id: string;
}

/** What a process grants in a minute, at a thousand in a second (docs/operations.md#memory). A power of two. */
const MOST_REMEMBERED = 65_536;
const MOST_AT_ONCE = 256;
const LANES = 2;

/**
 * The key that an authorization is on, which never changes. This process remembers those that it granted last, and asks the
 * database for the others, whose calls took long or were authorized at another replica.
 */
export class AuthorizationKeys {
  readonly #recent = new RecentKeys(MOST_REMEMBERED);
  readonly #lookUps: BatchQueue<AuthorizationReference, string | undefined>;

  constructor({ lookUpPool, distribution }: Pick<Database, "lookUpPool" | "distribution">) {
    this.#lookUps = new BatchQueue({
      queue: "authorization_keys",
      nameOf: ({ accountId, id }) => accountId + id,
      shardOf: ({ accountId }) => distribution.batchOf(accountId),
      work: async (asked) => {
        const rows = await runOnPool(lookUpPool, FIND_KEYS_OF_AUTHORIZATIONS, [
          arrayParameter(asked.map(({ accountId }) => accountId)),
          arrayParameter(asked.map(({ id }) => id)),
        ]);
        const found = new Map(rows.map((row) => [row.place, row.key_id]));
        return asked.map((_, i) => found.get(i + 1));
      },
      // No id can make the statement fail, so that each alone would fail too.
      mayTryAgain: () => false,
      mostAtOnce: MOST_AT_ONCE,
      lanes: LANES,
    });
  }

  /** Notes that an authorization was granted on a key. */
  note(id: string, keyId: string): void {
    this.#recent.set(id, keyId);
  }

  /**
   * The id of the key, at once where it is remembered; undefined where the account has no such authorization, as far as the
   * database was asked.
   */
  find(accountId: AccountId, id: string): string | Promise<string | undefined> {
    return this.#recent.get(id) ?? this.#lookUps.run({ accountId, id });
  }
}
