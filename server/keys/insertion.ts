import type { AccountId } from "../auth/account-id";
import { BatchQueue } from "../batch-queue";
import { arrayParameter } from "../db/array-parameter";
import type { Database } from "../db/client";
import { mayPassAlone, violatedConstraint } from "../db/failure";
import { runOnPool } from "../db/pipeline";
import type { Statement } from "../db/statement";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { newObjectId } from "../input/new-object-id";
import { LIMIT_NAMES, type Limits } from "../limits/schema";
import type { Outcome } from "../outcome";
import { INSERT_KEYS, INSERT_KEYS_UNGROUPED, INSERT_KEYS_WAITING, type InsertedKey } from "./statements/insert-keys";

/** A key that is about to exist. */
export interface NewKey {
  id: string;
  hash: Buffer;
  name: string;
  groupId: string | null;
  limits: Limits;
  /** Whether an unset limit takes the default of the group. Absent: as the group says. */
  takesDefaults?: boolean | undefined;
}

type Refused = "id taken" | Failure;

/**
 * What came of the insertion of a key: the limits that it took from its group. When its id is taken, try again with
 * another: no caller learns of that.
 */
export type InsertOutcome = Outcome<{ taken: Partial<Limits> }, Refused>;

/** The same of keys that were inserted together, in their order. */
export type InsertTogetherOutcome = Outcome<{ taken: Partial<Limits>[] }, Refused>;

interface Insertion {
  accountId: AccountId;
  actor: Actor;
  key: NewKey;
}

/** Keys that are inserted together, or not at all. */
interface InsertionTogether {
  accountId: AccountId;
  insertions: Insertion[];
}

/** The most keys of one statement, and the most statements at once. See docs/decisions/key-batches.md. */
const MOST_AT_ONCE = 64;
const LANES = 2;
/** The most keys that wait for their group at once. Each keeps a connection. */
const LANES_OF_WAITING = 2;
/** A thousand keys at once take a connection for a while. One is enough for all of them. */
const LANES_OF_TOGETHER = 1;

/**
 * Inserts keys. Those of all accounts that wait at the same time share statements, each of which commits once. There
 * is one for a process.
 */
export class KeyInsertion {
  readonly #queue: BatchQueue<Insertion, Partial<Limits>>;
  readonly #waiting: BatchQueue<Insertion, Partial<Limits>>;
  readonly #together: BatchQueue<InsertionTogether, Partial<Limits>[]>;

  constructor(private readonly db: Pick<Database, "lookUpPool" | "distribution">) {
    const shared = {
      shardOf: ({ accountId }: Insertion) => db.distribution.batchOf(accountId),
      mayTryAgain: mayPassAlone,
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
      work: (insertions) => this.#insertTogether(insertions),
      mostAtOnce: 1,
      lanes: LANES_OF_WAITING,
    });
    this.#together = new BatchQueue({
      queue: "key_insertions_together",
      shardOf: ({ accountId }) => db.distribution.batchOf(accountId),
      mayTryAgain: mayPassAlone,
      nameOf: ({ accountId }) => accountId,
      work: (batch) => Promise.all(batch.map(({ insertions }) => this.#insertTogether(insertions))),
      mostAtOnce: 1,
      lanes: LANES_OF_TOGETHER,
    });
  }

  /**
   * Inserts a key, the hash of its value and the event, all or nothing. The constraints of the database decide whether the
   * id is free and whether the group exists in the account.
   */
  async insert(accountId: AccountId, actor: Actor, key: NewKey): Promise<InsertOutcome> {
    try {
      return { ok: true, taken: await this.#queue.run({ accountId, actor, key }) };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  }

  /**
   * Inserts keys of one account by one statement, each with its own event: all of them or none. The statement waits for a
   * group that is locked.
   */
  async insertTogether(accountId: AccountId, actor: Actor, keys: NewKey[]): Promise<InsertTogetherOutcome> {
    try {
      const insertions = keys.map((key) => ({ accountId, actor, key }));
      return { ok: true, taken: await this.#together.run({ accountId, insertions }) };
    } catch (error) {
      return { ok: false, reason: reasonOf(error) };
    }
  }

  /** Inserts keys in one statement. A key that it leaves out because of its group is inserted alone. */
  async #insertAll(insertions: Insertion[]): Promise<(Partial<Limits> | Promise<Partial<Limits>>)[]> {
    // On a distributed database only the statement that reads groups was tried.
    const readsGroups = !this.db.distribution.isOnOneServer || insertions.some(({ key }) => key.groupId !== null);
    const taken = await this.#run(readsGroups ? INSERT_KEYS : INSERT_KEYS_UNGROUPED, insertions);
    return insertions.map((insertion, i) => taken.get(i + 1) ?? this.#waiting.run(insertion));
  }

  async #insertTogether(insertions: Insertion[]): Promise<Partial<Limits>[]> {
    const taken = await this.#run(INSERT_KEYS_WAITING, insertions);
    return insertions.map((_, i) => taken.get(i + 1) ?? {});
  }

  /** What each inserted key took from its group, by its place from 1 on. */
  async #run(statement: Statement<InsertedKey>, insertions: Insertion[]): Promise<Map<number, Partial<Limits>>> {
    const columns = [
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
      insertions.map(({ key }) => key.takesDefaults ?? null),
      ...LIMIT_NAMES.map((name) => insertions.map(({ key }) => key.limits[name])),
    ];
    const rows = await runOnPool(this.db.lookUpPool, statement, columns.map(arrayParameter));
    return new Map(rows.map(({ place, taken }) => [place, taken ?? {}]));
  }
}

/** Why keys were refused, by the constraint that refused them. Every other error is thrown again. */
function reasonOf(error: unknown): Refused {
  switch (violatedConstraint(error)) {
    case "api_key_pkey":
      return "id taken";
    case "api_key_account_id_group_id_fkey":
      return errors.groupNamesNone();
    default:
      throw error;
  }
}

function setLimits(limits: Limits): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null));
}
