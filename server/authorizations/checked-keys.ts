import type { Pool } from "pg";
import { type SentBy, SpendCredentials } from "../auth/credential-queries";
import { namesOf } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { bound, runOnPool, runTogetherOnPool } from "../db/pipeline";
import type { LockedKey } from "./decide";
import { lockedKey, type SpendRules } from "./key-rows";
import { type AskedKey, type KnownKeys, type KnownToCheck, stateIn } from "./known-keys";
import { COMPARE_KEYS } from "./statements/compare-keys";
import { READ_CHECKED_KEYS, READ_KEYS, type VersionedKeyRow } from "./statements/read-keys";

/** A key as it is now, which is in whole seconds since 1970, by the database's clock. */
interface CheckedState {
  state: LockedKey;
  now: number;
}

/** A check of a key. */
export type Check = AskedKey & SentBy;

/** What a check has found; undefined where there is no such key. `sender_refused`: the credential of its sender is not valid. */
export type Checked = CheckedState | "sender_refused" | undefined;

/**
 * Reads keys without locking them. Compares the versions of keys that are known, and reads the others in the same piece. A key
 * that has changed, or of which something has ended, is read in a second one. The first one also asks whether the credentials of
 * the senders are valid, where that was not asked before.
 * @param known undefined: every key is read, because the rows may be distributed over several servers.
 * @returns what was found, in the order of the checks.
 * @throws as `runTogetherOnPool` does.
 */
export async function readChecked(
  pool: Pool,
  asked: readonly Check[],
  rules: SpendRules,
  known: KnownKeys | undefined,
): Promise<Checked[]> {
  if (!known) return readAll(pool, asked, rules);
  const batch = new Checks(pool, asked, rules, known);
  const { changed, mayBeDecided } = await batch.compareOrRead();
  const answered = changed.filter((place) => mayBeDecided(asked[place] as Check));
  if (answered.length > 0) await batch.read(answered);
  return asked.map((check, place) => (mayBeDecided(check) ? batch.found[place] : "sender_refused"));
}

/** The checks of a batch. Places are those of `asked`, from 0 on. */
class Checks {
  readonly found: (CheckedState | undefined)[];

  constructor(
    private readonly pool: Pool,
    private readonly asked: readonly Check[],
    private readonly rules: SpendRules,
    private readonly known: KnownKeys,
  ) {
    this.found = asked.map(() => undefined);
  }

  /**
   * Compares the keys that are known, and reads the others.
   * @returns the places of those that must be read too, and which checks may be answered.
   */
  async compareOrRead(): Promise<{ changed: number[]; mayBeDecided(check: SentBy): boolean }> {
    const sentAt = performance.now();
    const { each, runningSince } = this.known.findForChecks(this.asked, sentAt);
    const compared: KnownToCheck[] = [];
    const places: number[] = [];
    const others: number[] = [];
    for (const [place, one] of each.entries()) {
      if (one?.isCompared) {
        compared.push(one);
        places.push(place);
      } else others.push(place);
    }
    const versions = [
      arrayParameter(compared.map(({ version }) => version)),
      arrayParameter(compared.map(({ accountVersion }) => accountVersion)),
      runningSince,
    ];
    const credentials = new SpendCredentials(this.asked);
    const [[comparison], rows, callers, gateways] = await runTogetherOnPool(this.pool, [
      compared.length > 0 ? bound(COMPARE_KEYS, [...namesOf(this.#at(places)), ...versions]) : undefined,
      others.length > 0 ? bound(READ_CHECKED_KEYS, valuesOf(this.#at(others))) : undefined,
      ...credentials.finding(),
    ]);
    const mayBeDecided = credentials.judge(callers, gateways);
    this.#keep(
      others,
      rows,
      each.map((one) => one?.version),
      sentAt,
    );
    if (!comparison) return { changed: [], mayBeDecided };
    const { now, changed: changedPlaces } = comparison;
    this.known.learnChecks(changedPlaces !== null);
    const changed: number[] = [];
    for (const [i, place] of places.entries()) {
      const [one, before] = [this.asked[place], compared[i]] as [AskedKey, KnownToCheck];
      const isChanged = changedPlaces?.includes(i + 1);
      if (isChanged) this.known.forget(one, before);
      const state = isChanged ? undefined : stateIn(now, before);
      if (state) this.found[place] = { state, now };
      else changed.push(place);
    }
    return { changed, mayBeDecided };
  }

  /** Reads the keys of some places. */
  async read(places: readonly number[]): Promise<void> {
    const sentAt = performance.now();
    const before = this.asked.map((one) => this.known.versionOf(one));
    const rows = await runOnPool(this.pool, READ_CHECKED_KEYS, valuesOf(this.#at(places)));
    this.#keep(places, rows, before, sentAt);
  }

  #at(places: readonly number[]): AskedKey[] {
    return places.map((place) => this.asked[place] as AskedKey);
  }

  /**
   * Keeps what was read.
   * @param places those of the keys that were read, in their order.
   * @param before the version of each asked key that was known when the statement was sent.
   * @param sentAt that moment, in milliseconds of `performance.now()`.
   */
  #keep(
    places: readonly number[],
    rows: readonly VersionedKeyRow[],
    before: readonly (string | undefined)[],
    sentAt: number,
  ): void {
    for (const row of rows) {
      const place = places[row.place - 1] as number;
      const state = lockedKey(row, this.rules);
      this.known.learnClock(row.moment, sentAt);
      this.known.noteChecked(this.asked[place] as AskedKey, before[place], row, state);
      this.found[place] = { state, now: row.now };
    }
  }
}

async function readAll(pool: Pool, asked: readonly Check[], rules: SpendRules): Promise<Checked[]> {
  const credentials = new SpendCredentials(asked);
  const statements = [bound(READ_KEYS, valuesOf(asked)), ...credentials.finding()] as const;
  const [rows, callers, gateways] = await runTogetherOnPool(pool, statements);
  const mayBeDecided = credentials.judge(callers, gateways);
  const found = new Map(rows.map((row) => [row.place - 1, { state: lockedKey(row, rules), now: row.now }]));
  return asked.map((check, place) => (mayBeDecided(check) ? found.get(place) : "sender_refused"));
}

function valuesOf(asked: readonly AskedKey[]): string[] {
  return [...namesOf(asked), arrayParameter(asked.map(({ byValue }) => byValue))];
}
