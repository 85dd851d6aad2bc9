/** A part of the table of keys, from which the values near a page of a list are taken. */
export interface KeySample {
  /** How many of 100 blocks of the table it reads. */
  percent: number;
  /** How many keys of the account are not revoked. With how many of these it has found, it tells which part of all it is. */
  kept: number;
}

/** How many keys a sample reads, of all accounts: for a page near an end of the list, and for one far from both. */
export const MOST_READ = { near: 10_000, far: 100_000 };
/** No more of a small table, where it would read too many of the keys. */
const MOST_PERCENT = 10;
/** To sort fewer keys of an account or a group takes no longer than to ask how many there are in all. */
export const LEAST_SAMPLED = 20_000;
/** The part of all keys that the account must have. The sample reads those of the other accounts too. */
const LEAST_SHARE = 0.2;

/**
 * The sample for an account, if it takes less time than to sort the account's keys.
 * @param kept how many keys of the account are not revoked.
 * @param all about how many keys there are in all; 0 where that is not known.
 * @param read how many keys to read at most.
 */
export function sampleOf(kept: number, all: number, read: number): KeySample | undefined {
  if (all === 0 || kept < LEAST_SHARE * all) return undefined;
  return { percent: Math.min(MOST_PERCENT, (100 * read) / all), kept };
}
