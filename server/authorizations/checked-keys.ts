import type { Pool } from "pg";
import { arrayParameter } from "../db/array-parameter";
import { bound, runOnPool, runTogetherOnPool } from "../db/pipeline";
import type { LockedKey } from "./decide";
import type { AskedKey, KnownKeys, KnownToCheck } from "./known-keys";
import { namesOf } from "./names-of-keys";
import { lockedKey, type SpendRules } from "./spend-transaction";
import { COMPARE_KEYS } from "./statements/compare-keys";
import { READ_CHECKED_KEYS, READ_KEYS, type VersionedKeyRow } from "./statements/read-keys";

/** A key as it is now, which is in whole seconds since 1970, by the database's clock. */
export interface CheckedState {
  state: LockedKey;
  now: number;
}

/**
 * Reads keys without locking them. Of those that are known, a statement compares the versions and reads nothing else. Where
 * one is another, or what is known does not hold any more, a second statement reads the key.
 * @param known undefined: every key is read, because the rows may be distributed over several servers.
 * @returns the states in the order of the keys; undefined where there is no such key.
 * @throws as `runOnPool` does.
 */
export async function readChecked(
  pool: Pool,
  asked: readonly AskedKey[],
  rules: SpendRules,
  known: KnownKeys | undefined,
): Promise<(CheckedState | undefined)[]> {
  if (!known) return readAll(pool, asked, rules);
  const batch = new Checks(pool, asked, rules, known);
  const changed = await batch.compareOrRead();
  if (changed.length > 0) await batch.read(changed);
  return batch.found;
}

/** The checks of a batch. Places are those of `asked`, from 0 on. */
class Checks {
  readonly found: (CheckedState | undefined)[];

  constructor(
    private readonly pool: Pool,
    private readonly asked: readonly AskedKey[],
    private readonly rules: SpendRules,
    private readonly known: KnownKeys,
  ) {
    this.found = asked.map(() => undefined);
  }

  /** Compares the keys of which enough is known, and reads the others. Returns the places of those that must be read too. */
  async compareOrRead(): Promise<number[]> {
    const sentAt = performance.now();
    const { each, runningSince } = this.known.findForChecks(this.asked, sentAt);
    const compared: KnownToCheck[] = [];
    const places: number[] = [];
    const unknown: number[] = [];
    for (const [place, one] of each.entries()) {
      if (one?.isEnough) {
        compared.push(one);
        places.push(place);
      } else unknown.push(place);
    }
    const versions = [
      arrayParameter(compared.map(({ version }) => version)),
      arrayParameter(compared.map(({ accountVersion }) => accountVersion)),
      runningSince,
    ];
    const [[comparison], rows] = await runTogetherOnPool(this.pool, [
      compared.length > 0 ? bound(COMPARE_KEYS, [...namesOf(this.#at(places)), ...versions]) : undefined,
      unknown.length > 0 ? bound(READ_CHECKED_KEYS, valuesOf(this.#at(unknown))) : undefined,
    ]);
    this.#keep(unknown, rows, each, sentAt);
    if (!comparison) return [];
    const { now, changed } = comparison;
    return places.filter((place, i) => {
      if (changed?.includes(i + 1)) return true;
      const state = this.known.stateIn(now, this.asked[place] as AskedKey, compared[i] as KnownToCheck);
      if (state) this.found[place] = { state, now };
      return !state;
    });
  }

  /** Reads the keys of some places. */
  async read(places: readonly number[]): Promise<void> {
    const sentAt = performance.now();
    const { each } = this.known.findForChecks(this.asked, sentAt);
    const rows = await runOnPool(this.pool, READ_CHECKED_KEYS, valuesOf(this.#at(places)));
    this.#keep(places, rows, each, sentAt);
  }

  #at(places: readonly number[]): AskedKey[] {
    return places.map((place) => this.asked[place] as AskedKey);
  }

  /** Keeps what was read. @param before what was known of each asked key when that was sent. */
  #keep(
    places: readonly number[],
    rows: readonly VersionedKeyRow[],
    before: readonly (KnownToCheck | undefined)[],
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

async function readAll(
  pool: Pool,
  asked: readonly AskedKey[],
  rules: SpendRules,
): Promise<(CheckedState | undefined)[]> {
  const found: (CheckedState | undefined)[] = asked.map(() => undefined);
  for (const row of await runOnPool(pool, READ_KEYS, valuesOf(asked))) {
    found[row.place - 1] = { state: lockedKey(row, rules), now: row.now };
  }
  return found;
}

function valuesOf(asked: readonly AskedKey[]): string[] {
  return [...namesOf(asked), arrayParameter(asked.map(({ byValue }) => byValue))];
}
