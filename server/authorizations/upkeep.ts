import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../db/client";
import { isDatabaseUnavailable } from "../db/failure";
import { analyzeGrown } from "../db/statistics";
import { inTurn } from "../db/turn";
import { addKeyCountChanges } from "../groups/count-queries";
import { rollUpSpend } from "../usage/roll-up-queries";
import { maintainPartitions } from "./ledger";
import { releaseExpired } from "./statements/release-expired";
import { deleteSettled, listKeysWithExpired } from "./upkeep-queries";

const PAUSE_MS = 60_000;
/** A little shorter, so that the process that did it last still finds it due after its pause. */
const DUE_MS = 50_000;
const LEDGER_DUE_MS = 60 * 60_000;

/**
 * Runs until `signal` aborts: releases expired holds, adds up what lists and usage read, deletes old authorizations, and makes
 * and drops partitions of the ledger. Of several processes on the database, one does it each minute. No decision on spend
 * depends on when this runs, or whether it runs at all.
 */
export async function runUpkeep(db: Database, retentionDays: number, log: Logger, signal: AbortSignal): Promise<void> {
  const { pool } = db;
  while (!signal.aborted) {
    try {
      await inTurn(pool, "upkeep", DUE_MS, async () => {
        for (const key of await listKeysWithExpired(db)) await releaseExpired(db.lookUpPool, key);
        while (!signal.aborted && (await addKeyCountChanges(db)) > 0);
        await rollUpSpend(db, signal);
        await analyzeGrown(pool);
      });
      await inTurn(pool, "upkeep of the ledger", LEDGER_DUE_MS, async () => {
        await maintainPartitions(db, retentionDays);
        while (!signal.aborted && (await deleteSettled(db, retentionDays)) > 0);
      });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, "upkeep failed");
    }
    await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
