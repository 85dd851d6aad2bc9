import type { Pool } from "pg";
import { arrayParameter } from "../db/array-parameter";
import { runOnPool } from "../db/pipeline";
import type { LockedKey } from "./decide";
import type { AskedKey, KnownKeys } from "./known-keys";
import { namesOf } from "./names-of-keys";
import { lockedKey, type SpendRules } from "./spend-transaction";
import { READ_CHANGED_KEYS, READ_KEYS } from "./statements/read-keys";

/** A key as it is now, which is in whole seconds since 1970, by the database's clock. */
export interface CheckedState {
  state: LockedKey;
  now: number;
}

/**
 * Reads keys without locking them. Of those that are known, the statement compares the versions and reads nothing else. Where
 * what is known does not hold any more, a second statement reads the key.
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
  const sentAt = performance.now();
  const { each, runningSince } = known.findForChecks(asked, sentAt);
  const enough = each.map((one) => (one?.isEnough ? one : undefined));
  const values = [
    ...valuesOf(asked),
    arrayParameter(enough.map((one) => one?.version ?? null)),
    arrayParameter(enough.map((one) => one?.accountVersion ?? null)),
    runningSince,
  ];
  const found: (CheckedState | undefined)[] = asked.map(() => undefined);
  const again: number[] = [];
  for (const row of await runOnPool(pool, READ_CHANGED_KEYS, values)) {
    const place = row.place - 1;
    const one = asked[place] as AskedKey;
    const before = each[place];
    if (row.key_id === null) {
      const state = before && known.stateIn(row.now, one, before);
      if (state) found[place] = { state, now: row.now };
      else again.push(place);
      continue;
    }
    const state = lockedKey(row, rules);
    known.learnClock(row.moment, sentAt);
    known.noteChecked(one, before, row, state);
    found[place] = { state, now: row.now };
  }
  if (again.length === 0) return found;
  // A day, a value or a hold has ended since, or a decision of the next second was faster.
  const readAgain = await readAll(
    pool,
    again.map((place) => asked[place] as AskedKey),
    rules,
  );
  for (const [i, place] of again.entries()) found[place] = readAgain[i];
  return found;
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
