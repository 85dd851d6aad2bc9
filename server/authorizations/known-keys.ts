import { type KeyReference, nameOfKey } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { type BoundStatement, bound } from "../db/pipeline";
import { measureRemembered } from "../metrics/remembered";
import { RecentMap } from "../recent-map";
import type { Changes, HoldCall, LockedKey, SpendCall, StoredAuthorization } from "./decide";
import { type KnownRow, LOCK_KNOWN_KEYS } from "./statements/lock-known-keys";
import type { VersionedKeyRow } from "./statements/read-keys";

/** Bounds of what is kept in memory: docs/operations.md#memory. */
const MOST_KEYS = 10_000;
const MOST_AUTHORIZATIONS = 32_768;

/** A key as this process left it when it decided on it last. */
interface KnownKey {
  /** The numbers of the transactions that wrote its row and that of its account, */
  version: string;
  accountVersion: string;
  /** and since when the PostgreSQL runs that counted them: another one counts in its own way. */
  server: string;
  state: LockedKey;
  /** When the first of its values ends, in seconds since 1970. Undefined: the values are not known. */
  valuesEndAt: number | undefined;
  /**
   * Whether nobody else changed the key between the last two decisions. Where several processes decide on a key in turn, what
   * one knows is wrong each time, and to find that out costs more than to read the key.
   */
  isSteady: boolean;
}

/** An authorization that this process granted, and that is still held. */
interface KnownAuthorization {
  /** The authorization is known while this is what is known of its key: others may have changed it in between. */
  of: KnownKey;
  stored: StoredAuthorization;
}

/** The calls of one key. */
interface CallsOfKey {
  key: KeyReference;
  calls: readonly SpendCall[];
}

/** What a transaction says of itself: its number, and its moment in seconds since 1970. */
type Written = Pick<KnownRow, "transaction" | "moment">;

/** What a batch is decided by. */
interface KnownBatch {
  /** The keys, with the authorizations that their calls settle by their ids, in the order of the calls. */
  keys: { state: LockedKey; stored: Map<string, StoredAuthorization> }[];
  /** Locks the keys, and tells whether they are still the same. */
  locking: BoundStatement<KnownRow>;
}

/**
 * What a process knows of the keys that it decided on last, and of their authorizations. It decides by that only together with
 * a statement that locks the keys and compares the versions of their rows. Where one is another, the transaction writes
 * nothing. So what a process knows may be old, and no decision is. See docs/decisions/known-keys.md.
 */
export class KnownKeys {
  readonly #keys = new RecentMap<string, KnownKey>(MOST_KEYS);
  readonly #authorizations = new RecentMap<string, KnownAuthorization>(MOST_AUTHORIZATIONS);
  /** How many seconds the clock of the database is ahead of `performance.now()`. */
  #clockAhead = 0;

  constructor() {
    measureRemembered("known_keys", this.#keys);
    measureRemembered("known_authorizations", this.#authorizations);
  }

  /**
   * @param sentAt now, in milliseconds of `performance.now()`.
   * @returns undefined where too little is known of a key for its calls.
   */
  find(groups: readonly CallsOfKey[], sentAt: number): KnownBatch | undefined {
    const second = Math.floor(sentAt / 1000 + this.#clockAhead);
    const found: KnownKey[] = [];
    const keys: KnownBatch["keys"] = [];
    const operatorVersions = new Set<number>();
    for (const { key, calls } of groups) {
      const known = this.#keys.get(nameOfKey(key));
      const stored = known && isUsable(known, second) ? this.#storedFor(known, calls) : undefined;
      if (!known || !stored) return undefined;
      const { prices } = known.state;
      if (prices && calls.some(isByModel)) operatorVersions.add(prices.operator_version);
      found.push(known);
      keys.push({ state: known.state, stored });
    }
    const [server = "", ...otherServers] = new Set(found.map(({ server }) => server));
    const [operatorVersion, ...otherVersions] = operatorVersions;
    // The statement compares one of each.
    if (otherServers.length + otherVersions.length > 0) return undefined;
    for (const { state } of found) state.now = second;
    const values = [
      arrayParameter(groups.map(({ key }) => key.accountId)),
      arrayParameter(groups.map(({ key }) => key.keyId)),
      arrayParameter(found.map(({ version }) => version)),
      arrayParameter(found.map(({ accountVersion }) => accountVersion)),
      String(second),
      server,
      operatorVersion === undefined ? null : String(operatorVersion),
    ];
    return { keys, locking: bound(LOCK_KNOWN_KEYS, values) };
  }

  /** The authorizations that calls settle. Undefined where something is not known that the calls of the key are decided by. */
  #storedFor(known: KnownKey, calls: readonly SpendCall[]): Map<string, StoredAuthorization> | undefined {
    const stored = new Map<string, StoredAuthorization>();
    for (const call of calls) {
      if (call.kind === "hold") {
        if (call.value !== null && known.valuesEndAt === undefined) return undefined;
        if (isByModel(call) && !known.state.prices) return undefined;
        continue;
      }
      const authorization = this.#authorizations.get(call.id);
      if (authorization?.of !== known) return undefined;
      stored.set(call.id, authorization.stored);
    }
    return stored;
  }

  /** Learns the clock of the database from a transaction. */
  learnClock(moment: number, sentAt: number): void {
    this.#clockAhead = moment - sentAt / 1000;
  }

  /** Notes what a transaction changed of a key that it decided on by what was known. */
  noteChanges(key: KeyReference, changes: Changes, written: Written): void {
    const name = nameOfKey(key);
    const known = this.#keys.get(name);
    if (known) this.#note(name, known, changes, written);
  }

  /**
   * Notes a key that a transaction has locked and read, and what it changed of it.
   * @param state the key as it was read.
   * @param isByValue whether its values were read.
   */
  noteRead(key: KeyReference, row: VersionedKeyRow, state: LockedKey, isByValue: boolean, changes: Changes): void {
    const name = nameOfKey(key);
    const before = this.#keys.get(name);
    const isSteady = before?.version === row.version && before.server === row.server;
    // What was not read now is the same, as long as nobody changed the rows.
    const valuesEndAt = isByValue ? (row.values_end_at ?? Number.POSITIVE_INFINITY) : undefined;
    if (isSteady && !isByValue) state.values = before.state.values;
    if (isSteady && before.accountVersion === row.account_version) state.prices ??= before.state.prices;
    // Prices of another day than that of the key end at a moment that is not known.
    if (state.prices?.day !== state.day) state.prices = undefined;
    const now = {
      version: row.version,
      accountVersion: row.account_version,
      server: row.server,
      state,
      valuesEndAt: isSteady ? (valuesEndAt ?? before.valuesEndAt) : valuesEndAt,
      isSteady,
    };
    // Another object where somebody else changed the key: then its authorizations may be other ones too.
    this.#note(name, isSteady ? Object.assign(before, now) : now, changes, row);
  }

  #note(
    name: string,
    known: KnownKey,
    { counters, granted, settled }: Changes,
    { transaction, moment }: Written,
  ): void {
    const { state } = known;
    for (const call of granted) this.#authorizations.set(call.id, { of: known, stored: grantedTo(call, state) });
    for (const id of settled.keys()) this.#authorizations.delete(id);
    if (counters) {
      known.version = transaction;
      state.windows = counters.windows;
      state.openHolds = counters.openHolds;
      const ends = granted.map(({ ttlSeconds }) => Math.ceil(moment + ttlSeconds));
      if (state.resetsAt.open_holds !== null) ends.push(state.resetsAt.open_holds);
      const { daily_limit, monthly_limit } = state.resetsAt;
      state.resetsAt = { daily_limit, monthly_limit, open_holds: ends.length === 0 ? null : Math.min(...ends) };
    }
    this.#keys.set(name, known);
  }
}

/**
 * Whether what is known of a key still holds in a second, if nobody has changed it: to the end of the second its day lasts,
 * its values are good and no hold expires. And the clock was not put back since.
 */
function isUsable({ isSteady, state, valuesEndAt }: KnownKey, second: number): boolean {
  const { now, resetsAt } = state;
  const ends = [resetsAt.daily_limit, resetsAt.open_holds, valuesEndAt];
  return isSteady && second >= now && ends.every((end) => end == null || end - 1 > second);
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
