/** So long the question for a change may be on its way. The server counts from when it arrives. */
const ON_THE_WAY_SECONDS = 60;

/** Of which time the newest change is asked for. @param since a moment before it, by `performance.now()`. */
export function secondsSince(since: number): number {
  return Math.ceil((performance.now() - since) / 1000) + ON_THE_WAY_SECONDS;
}
