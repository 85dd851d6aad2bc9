import type { Database } from "../db/client";
import { run } from "../db/statement";
import { newObjectId } from "../input/new-object-id";
import { COUNT_ATTEMPT } from "./statements/count-attempt";

/** How often one thing may be tried. */
export interface AttemptLimit {
  /** Names what is counted, and the address or account that it is counted for. */
  key: string;
  max: number;
  /** In seconds from the first attempt. After that, the count begins again at 1. */
  window: number;
  /** Whether a success counts as an attempt, does not count, or clears the count. */
  success: "counts" | "does not count" | "clears";
}

/**
 * Counts an attempt before it is made, so that many attempts at once cannot all pass. One statement for each limit counts
 * and decides.
 * @returns the seconds to wait when there were too many attempts; `undefined` when the attempt may be made.
 */
export async function countAttempt(
  { lookUpPool }: Database,
  limits: readonly AttemptLimit[],
): Promise<number | undefined> {
  const now = Date.now();
  for (const { key, max, window } of limits) {
    const [row] = await run(lookUpPool, COUNT_ATTEMPT, [newObjectId(), key, now, now - window * 1000]);
    if (row && row.count > max) return Math.max(1, Math.ceil((Number(row.begun) + window * 1000 - now) / 1000));
  }
  return undefined;
}

/** Notes that a counted attempt was a success. */
export async function noteSuccess({ prisma }: Database, limits: readonly AttemptLimit[]): Promise<void> {
  for (const { key, success } of limits) {
    if (success === "does not count") {
      await prisma.rateLimit.updateMany({ where: { key, count: { gt: 0 } }, data: { count: { decrement: 1 } } });
    }
    if (success === "clears") await prisma.rateLimit.deleteMany({ where: { key } });
  }
}
