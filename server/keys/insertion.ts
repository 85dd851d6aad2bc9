import type { AccountId } from "../auth/account-id";
import { BatchQueue } from "../batch-queue";
import type { Database } from "../db/client";
import { isRefused, violatedConstraint } from "../db/failure";
import { run, type Statement } from "../db/statement";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { newObjectId } from "../input/new-object-id";
import { LIMIT_NAMES, type Limits } from "../limits/schema";
import type { Outcome } from "../outcome";
import { INSERT_KEYS, INSERT_KEYS_WAITING } from "./statements/insert-keys";

/** A key that is about to exist. */
export interface NewKey {
  id: string;
  hash: Buffer;
  name: string;
  groupId: string | null;
  limits: Limits;
}

/** What came of the insertion of a key. When its id is taken, try again with another: no caller learns of that. */
export type InsertOutcome = Outcome<object, "id taken" | Failure>;

interface Insertion {
  accountId: AccountId;
  actor: Actor;
  key: NewKey;
}

/** The most keys of one statement, and the most statements at once. See docs/decisions/key-batches.md. */
const MOST_AT_ONCE = 64;
const LANES = 2;
/** The most keys that wait for their group at once. Each keeps a connection. */
const LANES_OF_WAITING = 2;

/**
 * Inserts keys. Those of all accounts that wait at the same time are inserted by one statement, which commits once. There
 * is one for a process.
 */
export class KeyInsertion {
  readonly #queue: BatchQueue<Insertion, undefined>;
  readonly #waiting: BatchQueue<Insertion, undefined>;

  constructor(private readonly db: Pick<Database, "lookUpPool" | "distribution">) {
    const shared = {
      shardOf: ({ accountId }: Insertion) => db.distribution.batchOf(accountId),
      mayTryAgain: isRefused,
    };
    this.#queue = new BatchQueue({
      ...shared,
      queue: "key_insertions",
      nameOf: ({ key }) => key.id,
      work: (insertions) => this.#insertAll(insertions),
      mostAtOnce: MOST_AT_ONCE,
      lanes: LANES,
    });
    this.#waiting = new BatchQueue({
      ...shared,
      queue: "key_insertions_of_locked_groups",
      // The keys of one group wait for it one after the other, so that they do not take all lanes.
      nameOf: ({ accountId, key }) => `${accountId} ${key.groupId}`,
      work: (insertions) => this.#insertWaiting(insertions),
      mostAtOnce: 1,
      lanes: LANES_OF_WAITING,
    });
  }

  /**
   * Inserts a key, the hash of its value and the event, all or nothing. The constraints of the database decide whether the
   * id is free and whether the group exists in the account.
   */
  async insert(accountId: AccountId, actor: Actor, key: NewKey): Promise<InsertOutcome> {
    try {
      await this.#queue.run({ accountId, actor, key });
      return { ok: true };
    } catch (error) {
      switch (violatedConstraint(error)) {
        case "api_key_pkey":
          return { ok: false, reason: "id taken" };
        case "api_key_account_id_group_id_fkey":
          return { ok: false, reason: errors.groupNamesNone() };
        default:
          throw error;
      }
    }
  }

  /** Inserts keys in one statement. A key that it leaves out because of its group is inserted alone. */
  async #insertAll(insertions: Insertion[]): Promise<(undefined | Promise<undefined>)[]> {
    const places = await this.#run(INSERT_KEYS, insertions);
    return insertions.map((insertion, i) => (places.has(i + 1) ? undefined : this.#waiting.run(insertion)));
  }

  async #insertWaiting(insertions: Insertion[]): Promise<undefined[]> {
    await this.#run(INSERT_KEYS_WAITING, insertions);
    return insertions.map(() => undefined);
  }

  async #run(statement: Statement<{ place: number }>, insertions: Insertion[]): Promise<Set<number>> {
    const rows = await run(this.db.lookUpPool, statement, [
      insertions.map(({ accountId }) => accountId),
      insertions.map(({ key }) => key.id),
      insertions.map(({ key }) => key.name),
      insertions.map(({ key }) => key.groupId),
      insertions.map(({ key }) => key.hash),
      insertions.map(() => newObjectId()),
      insertions.map(({ actor }) => actor.kind),
      insertions.map(({ actor }) => actor.name),
      insertions.map(({ actor }) => actor.address),
      insertions.map(({ key }) => JSON.stringify({ name: key.name, ...setLimits(key.limits) })),
      ...LIMIT_NAMES.map((name) => insertions.map(({ key }) => key.limits[name])),
    ]);
    return new Set(rows.map(({ place }) => place));
  }
}

function setLimits(limits: Limits): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null));
}
