import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../db/client";
import { isDatabaseUnavailable } from "../db/failure";
import { analyzeGrown } from "../db/statistics";
import { inTurn } from "../db/turn";
import { addKeyCountChanges } from "../groups/count-queries";
import { measureUpkeep } from "../metrics/upkeep";
import { rollUpSpend } from "../usage/roll-up-queries";
import { maintainPartitions } from "./ledger";
import { releaseExpired } from "./statements/release-expired";
import { deleteRefusals, deleteSettled, listKeysWithExpired } from "./upkeep-queries";

const PAUSE_MS = 60_000;
/** A little shorter, so that the process that did it last still finds it due after its pause. */
const DUE_MS = 50_000;
const LEDGER_DUE_MS = 60 * 60_000;

/** For how many days what is over is kept. */
interface RetentionDays {
  /** The ledger, and authorizations after they were settled. */
  ledgerRetentionDays: number;
  /** Single refusals. */
  activityRetentionDays: number;
}

/**
 * Runs until `signal` aborts: releases expired holds, adds up what lists and usage read, deletes old authorizations and refusals,
 * and makes and drops partitions of the ledger. Of several processes on the database, one does it each minute. No decision on spend
 * depends on when this runs, or whether it runs at all.
 */
export async function runUpkeep(
  db: Database,
  { ledgerRetentionDays, activityRetentionDays }: RetentionDays,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { pool } = db;
  const ofMinute = () =>
    doEach([
      () => measureUpkeep("release_expired", () => releaseAllExpired(db)),
      () => measureUpkeep("count_keys", () => untilNone(signal, () => addKeyCountChanges(db))),
      () => measureUpkeep("roll_up_spend", () => rollUpSpend(db, signal)),
      () => measureUpkeep("analyze_tables", () => analyzeGrown(pool)),
    ]);
  const ofHour = () =>
    doEach([
      () => measureUpkeep("maintain_ledger", () => maintainPartitions(db, ledgerRetentionDays)),
      () => measureUpkeep("delete_settled", () => untilNone(signal, () => deleteSettled(db, ledgerRetentionDays))),
      () => measureUpkeep("delete_refusals", () => untilNone(signal, () => deleteRefusals(db, activityRetentionDays))),
    ]);
  while (!signal.aborted) {
    try {
      await doEach([
        () => inTurn(pool, "upkeep", DUE_MS, ofMinute),
        () => inTurn(pool, "upkeep of the ledger", LEDGER_DUE_MS, ofHour),
      ]);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, "upkeep failed");
    }
    await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Does one after another. What fails, as the release of a key whose counters are damaged does, keeps nothing else waiting.
 * @throws what failed first, after all was tried; at once where the database cannot be used.
 */
async function doEach(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Returns the number of keys whose expired holds were released. */
async function releaseAllExpired(db: Database): Promise<number> {
  let released = 0;
  const keys = await listKeysWithExpired(db);
  await doEach(
    keys.map((key) => async () => {
      if (await releaseExpired(db.lookUpPool, key)) released++;
    }),
  );
  return released;
}

/** Does work again until it finds nothing more to do, and returns the number of rows. */
async function untilNone(signal: AbortSignal, work: () => Promise<number>): Promise<number> {
  let rows = 0;
  for (let last = 1; !signal.aborted && last > 0; rows += last) last = await work();
  return rows;
}
