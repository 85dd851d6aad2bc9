/** So long the question for a change may be on its way. The server counts from when it arrives. */
const ON_THE_WAY_SECONDS = 60;
/** The server looks no further back. Its schema is not loaded for this: the test compares them. */
const LONGEST_AGO_SECONDS = 86_400;

/**
 * Of which time the newest change is asked for. A dialog may be open for days.
 * @param since a moment before the change, by `performance.now()`.
 */
export function secondsSince(since: number): number {
  const seconds = Math.ceil((performance.now() - since) / 1000) + ON_THE_WAY_SECONDS;
  return Math.min(seconds, LONGEST_AGO_SECONDS);
}
