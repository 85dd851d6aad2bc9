import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../db/client";
import { isDatabaseUnavailable } from "../db/failure";
import { keepLedger } from "./ledger";
import { forgetSettled, listKeysWithExpired, releaseExpired } from "./queries";

const PAUSE_MS = 60_000;
const LEDGER_PAUSE_MS = 60 * 60_000;

/**
 * Tidies up, until `signal` says to stop: releases holds that have expired, forgets old authorizations, keeps the
 * ledger's partitions. Nothing that is decided depends on when it runs, or whether.
 */
export async function keepTidy(db: Database, retentionDays: number, log: Logger, signal: AbortSignal): Promise<void> {
  let ledgerDue = 0;
  while (!signal.aborted) {
    try {
      for (const { accountId, keyId } of await listKeysWithExpired(db)) await releaseExpired(db, accountId, keyId);
      if (performance.now() >= ledgerDue) {
        await keepLedger(db, retentionDays);
        while (!signal.aborted && (await forgetSettled(db, retentionDays)) > 0);
        ledgerDue = performance.now() + LEDGER_PAUSE_MS;
      }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, "tidying up failed");
    }
    await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
