import { type KeyReference, nameOfKey, namesOf } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { type BoundStatement, bound } from "../db/pipeline";
import { measureRemembered } from "../metrics/remembered";
import { RecentMap } from "../recent-map";
import { Comparisons } from "./comparisons";
import type { Changes, HoldCall, LockedKey, SpendCall, StoredAuthorization } from "./decide";
import { type ComparedRow, LOCK_KNOWN_KEYS } from "./statements/lock-known-keys";
import type { LockedKeyRow, VersionedKeyRow } from "./statements/read-keys";

/** Bounds of what is kept in memory: docs/operations.md#memory. */
const MOST_KEYS = 10_000;
const MOST_AUTHORIZATIONS = 16_384;

/** A key as this process left it when it decided on it last, or read it for a check. */
interface KnownKey {
  /** The number of the transaction that wrote its row. */
  version: string;
  /** The number of the one that wrote the row of its account. */
  accountVersion: string;
  /** Since when the PostgreSQL runs that has counted these transactions. Another one counts in its own way. */
  runningSince: string;
  /** Its `now` is the last second that it was taken for the state of. */
  state: LockedKey;
  /** When the first of its values ends, in seconds since 1970. Undefined: the values are not known. */
  valuesEndAt: number | undefined;
  /** Stands for the key as long as nobody else changes it. */
  generation: object;
  /**
   * Whether nobody else changed the key or its account between the last two times that this process read or decided on it.
   * Otherwise the next change may come soon too. To find out in vain that something has changed costs more than to read the key.
   */
  isSteady: boolean;
}

/** An authorization that this process granted, and that is still held. */
interface KnownAuthorization {
  /** The generation of its key. With another one, somebody else may have changed the authorization. */
  generation: object;
  stored: StoredAuthorization;
}

/** The calls of one key. */
interface CallsOfKey {
  /** `nameOfKey`. */
  name: string;
  key: KeyReference;
  calls: readonly SpendCall[];
}

/** Calls with what they are decided by. */
interface KnownCalls extends CallsOfKey {
  known: KnownKey;
  /** The authorizations that the calls settle, by their ids. */
  stored: Map<string, StoredAuthorization>;
}

/** What a batch is decided by. */
interface KnownBatch {
  groups: KnownCalls[];
  /** Locks the keys, and tells whether they are still the same. */
  comparing: BoundStatement<ComparedRow>;
  /** The second that it is decided in, since 1970. */
  second: number;
}

/** A key that is asked for without a decision. */
export interface AskedKey {
  key: KeyReference;
  /** Whether the hashes of its values are needed. */
  byValue: boolean;
}

/** What is known of keys that checks ask for. */
interface KnownToChecks {
  /** Of each key, in their order; undefined where nothing is known. */
  each: (KnownToCheck | undefined)[];
  /** Since when the PostgreSQL runs that has given the versions of those to compare; null: none is. */
  runningSince: string | null;
}

/** What is known of a key when a check asks for it. */
export interface KnownToCheck {
  known: KnownKey;
  /** The versions of now: a decision may change those of what is known. */
  version: string;
  accountVersion: string;
  /** Whether to compare the key with it, and not to read the key. */
  isCompared: boolean;
}

/** What a transaction says of itself: its number, and its moment in seconds since 1970. */
type Written = Pick<ComparedRow, "transaction" | "moment">;

/**
 * What a process knows of the keys that it decided on or checked last, and of their authorizations. It decides by that only
 * together with a statement that locks the keys and compares the versions of their rows. Where one is another, the
 * transaction writes nothing. It answers checks by that where a statement has compared the versions. So what a process knows
 * may be old, and no decision is. See docs/decisions/known-keys.md.
 */
export class KnownKeys {
  readonly #keys = new RecentMap<string, KnownKey>(MOST_KEYS);
  readonly #authorizations = new RecentMap<string, KnownAuthorization>(MOST_AUTHORIZATIONS);
  /** How many seconds the clock of the database is ahead of `performance.now()`. */
  #clockAhead = 0;
  /** How the comparisons of decisions went, and those of checks. */
  readonly #decisions = new Comparisons();
  readonly #checks = new Comparisons();

  constructor() {
    measureRemembered("known_keys", this.#keys);
    measureRemembered("known_authorizations", this.#authorizations);
  }

  /**
   * What is known of the keys of a batch in this second.
   * @param sentAt now, in milliseconds of `performance.now()`.
   * @returns undefined where too little is known of a key for its calls, or others have changed the keys of many batches.
   */
  find(groups: readonly CallsOfKey[], sentAt: number): KnownBatch | undefined {
    if (!this.#decisions.next()) return undefined;
    const second = Math.floor(sentAt / 1000 + this.#clockAhead);
    const found: KnownCalls[] = [];
    const operatorVersions = new Set<number>();
    for (const { name, key, calls } of groups) {
      const known = this.#keys.get(name);
      const stored = known && isUsable(known, second) ? this.#storedFor(known, calls) : undefined;
      if (!known || !stored) return undefined;
      const { prices } = known.state;
      if (prices && calls.some(isByModel)) operatorVersions.add(prices.operator_version);
      found.push({ name, key, calls, known, stored });
    }
    const [runningSince = "", ...otherStarts] = new Set(found.map(({ known }) => known.runningSince));
    const [operatorVersion, ...otherVersions] = operatorVersions;
    // The statement compares one of each.
    if (otherStarts.length + otherVersions.length > 0) return undefined;
    for (const { known } of found) known.state.now = second;
    const values = [
      ...namesOf(groups),
      arrayParameter(found.map(({ known }) => known.version)),
      arrayParameter(found.map(({ known }) => known.accountVersion)),
      String(second),
      runningSince,
      operatorVersion === undefined ? null : String(operatorVersion),
    ];
    return { groups: found, comparing: bound(LOCK_KNOWN_KEYS, values), second };
  }

  /** The authorizations that calls settle. Undefined where something is not known that the calls of the key are decided by. */
  #storedFor(
    { generation, state, valuesEndAt }: KnownKey,
    calls: readonly SpendCall[],
  ): Map<string, StoredAuthorization> | undefined {
    const stored = new Map<string, StoredAuthorization>();
    for (const call of calls) {
      if (call.kind === "hold") {
        if (call.value !== null && valuesEndAt === undefined) return undefined;
        if (isByModel(call) && !state.prices) return undefined;
        continue;
      }
      const authorization = this.#authorizations.get(call.id);
      if (authorization?.generation !== generation) return undefined;
      stored.set(call.id, authorization.stored);
    }
    return stored;
  }

  /** Learns what came of a comparison. */
  learnComparison({ second }: KnownBatch, { are_known, moment }: ComparedRow): void {
    // In another second the keys count as changed, although no other process has changed them. So nothing is learnt from it.
    if (Math.floor(moment) === second) this.#decisions.learn(!are_known);
  }

  /** Learns the clock of the database from the moment of a transaction, in seconds since 1970. */
  learnClock(moment: number, sentAt: number): void {
    this.#clockAhead = moment - sentAt / 1000;
  }

  /**
   * What is known of the keys of a batch of checks, and which of them to compare in this second.
   * @param sentAt now, in milliseconds of `performance.now()`.
   */
  findForChecks(asked: readonly AskedKey[], sentAt: number): KnownToChecks {
    const second = Math.floor(sentAt / 1000 + this.#clockAhead);
    const mayCompare = this.#checks.next();
    let since: string | null = null;
    const each = asked.map(({ key, byValue }) => {
      const known = this.#keys.use(nameOfKey(key));
      if (!known) return undefined;
      const { version, accountVersion, runningSince, valuesEndAt } = known;
      const isComparable = mayCompare && isUsable(known, second) && !(byValue && valuesEndAt === undefined);
      if (isComparable) since ??= runningSince;
      return { known, version, accountVersion, isCompared: isComparable && runningSince === since };
    });
    return { each, runningSince: since };
  }

  /** Forgets a key that a comparison has found changed: what a check reads then is not always noted. */
  forget({ key }: AskedKey, { known, version }: KnownToCheck): void {
    const name = nameOfKey(key);
    // Otherwise this process has decided on it meanwhile.
    if (known.version === version && this.#keys.get(name) === known) this.#keys.delete(name);
  }

  /** Learns what came of the comparison of a batch of checks. @param isInVain whether a key has changed. */
  learnChecks(isInVain: boolean): void {
    this.#checks.learn(isInVain);
  }

  /** The version of a key that is known. */
  versionOf({ key }: AskedKey): string | undefined {
    return this.#keys.get(nameOfKey(key))?.version;
  }

  /**
   * Notes a key that a check has read.
   * @param before the version that was known when the check asked.
   */
  noteChecked({ key, byValue }: AskedKey, before: string | undefined, row: VersionedKeyRow, state: LockedKey): void {
    const name = nameOfKey(key);
    // With expired holds, the state is not what the counters say. And a decision may have changed the key meanwhile.
    if (row.must_release || this.#keys.get(name)?.version !== before) return;
    this.#keys.set(name, this.#knownBy(name, row, state, byValue));
  }

  /** Notes what a transaction changed of a key that it decided on by what was known. */
  noteChanges({ name, known }: KnownCalls, changes: Changes, written: Written): void {
    this.#note(name, known, changes, written);
  }

  /**
   * Notes a key that a transaction has locked and read, and what it changed of it.
   * @param name `nameOfKey`.
   * @param state the key as it was read.
   * @param isByValue whether its values were read.
   */
  noteRead(name: string, row: LockedKeyRow, state: LockedKey, isByValue: boolean, changes: Changes): void {
    this.#note(name, this.#knownBy(name, row, state, isByValue), changes, row);
  }

  /** What is known of a key by its row. */
  #knownBy(name: string, row: VersionedKeyRow, state: LockedKey, isByValue: boolean): KnownKey {
    const before = this.#keys.get(name);
    const isSame = before?.version === row.version && before.runningSince === row.running_since;
    const isSteady = isSame && before.accountVersion === row.account_version;
    let valuesEndAt = isByValue ? (row.values_end_at ?? Number.POSITIVE_INFINITY) : undefined;
    // What was not read now is as before, unless a value has ended since, or the clock was put back.
    if (isSteady && state.now >= before.state.now) {
      if (!isByValue && before.valuesEndAt !== undefined && before.valuesEndAt > row.moment) {
        state.values = before.state.values;
        valuesEndAt = before.valuesEndAt;
      }
      state.prices ??= before.state.prices;
    }
    // Prices of another day than that of the key end at a moment that is not known.
    if (state.prices?.day !== state.day) state.prices = undefined;
    return {
      version: row.version,
      accountVersion: row.account_version,
      runningSince: row.running_since,
      state,
      valuesEndAt,
      generation: isSame ? before.generation : {},
      isSteady,
    };
  }

  #note(
    name: string,
    known: KnownKey,
    { counters, granted, settled }: Changes,
    { transaction, moment }: Written,
  ): void {
    const { generation, state, isSteady } = known;
    for (const call of granted) {
      // Those of a key on which others decide too are mostly settled elsewhere, and would stay here.
      if (isSteady) this.#authorizations.set(call.id, { generation, stored: grantedTo(call, state) });
    }
    for (const id of settled.keys()) this.#authorizations.delete(id);
    if (counters) {
      known.version = transaction;
      state.windows = counters.windows;
      state.openHolds = counters.openHolds;
      const ends = granted.map(({ ttlSeconds }) => Math.ceil(inMilliseconds(moment) + ttlSeconds));
      if (state.resetsAt.open_holds !== null) ends.push(state.resetsAt.open_holds);
      state.resetsAt = { ...state.resetsAt, open_holds: ends.length === 0 ? null : Math.min(...ends) };
    }
    this.#keys.set(name, known);
  }
}

/**
 * The state of a key whose row a statement has just found to be the same. Where this process has decided on the key since, it is
 * the state after that.
 * @param second the one in which the statement has compared it.
 * @returns undefined when it does not hold in that second: something has ended, the clock was put back, or a decision of the next
 *   second was noted before.
 */
export function stateIn(second: number, { known }: KnownToCheck): LockedKey | undefined {
  return isGood(known, second) ? known.state : undefined;
}

/** Seconds as the database keeps moments: to the millisecond. */
function inMilliseconds(moment: number): number {
  return Math.round(moment * 1000) / 1000;
}

/** Whether to compare a key with what is known of it, and not to read it. */
function isUsable(known: KnownKey, second: number): boolean {
  return known.isSteady && isGood(known, second);
}

/**
 * Whether what is known of a key still holds in a second, if nobody has changed it: to the end of the second its day lasts,
 * its values are good and no hold expires. And the clock was not put back since.
 */
function isGood({ state, valuesEndAt }: KnownKey, second: number): boolean {
  const { now, resetsAt } = state;
  const ends = [resetsAt.daily_limit, resetsAt.open_holds, valuesEndAt];
  return second >= now && ends.every((end) => end == null || end - 1 > second);
}

/** Whether a call is decided by the prices of now. */
function isByModel(call: SpendCall): boolean {
  return call.kind === "hold" && call.known !== undefined;
}

/** The authorization that a hold on a key has made. */
function grantedTo({ id, asked, ttlSeconds, quote }: HoldCall, { day, month, now }: LockedKey): StoredAuthorization {
  return {
    id,
    amount: asked.amount,
    state: "held",
    day,
    month,
    expiresAt: now + ttlSeconds,
    isOver: false,
    captured: null,
    overrun: false,
    late: false,
    quote: quote ?? null,
    usage: null,
  };
}
