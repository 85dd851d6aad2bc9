import type { Key } from "@/server/keys/schema";

/** How long a page waits to ask again when the clock of the server is behind that of the browser. */
const LEAST_MS = 60_000;

/**
 * For how many ms what a page tells of keys holds, as its `refetchInterval`: until the next day of the account begins. Then nothing
 * is spent of that day, and a key may have expired, or is blocked no more. `false` where there is no key.
 */
export function msOfThisDay(key: Pick<Key, "daily_resets_at"> | undefined): number | false {
  return key !== undefined && Math.max(LEAST_MS, key.daily_resets_at * 1_000 - Date.now());
}
