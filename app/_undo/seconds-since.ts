import { LONGEST_AGO_SECONDS } from "@/server/history/longest-ago";

/** So long the question for a change may be on its way. The server counts from when it arrives. */
const ON_THE_WAY_SECONDS = 60;

/**
 * Of which time the newest change is asked for. A dialog may be open for days.
 * @param since a moment before the change, by `performance.now()`.
 */
export function secondsSince(since: number): number {
  const seconds = Math.ceil((performance.now() - since) / 1000) + ON_THE_WAY_SECONDS;
  return Math.min(seconds, LONGEST_AGO_SECONDS);
}
