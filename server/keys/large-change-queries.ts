import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { isDatabaseUnavailable } from "../db/failure";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import type { Actor } from "../history/actor";
import type { LimitChanges } from "../limits/apply";
import { countLargeChangeCutOff, measureLargeChange } from "../metrics/large-changes";
import { changeKeysOfGroup, countAsAskedFor } from "./change-queries";
import { limitsChangeOfMany } from "./key-change";
import {
  beginLargeChange,
  completeLargeChange,
  type Lease,
  listEnds,
  takeAbandonedChange,
  undoPart,
  writePart,
} from "./large-change-parts";
import { changeMadeBy, type NamedRequest } from "./repeated-request-queries";

/** Limits of more keys than this are written in parts. Fewer are written in one transaction, in about a second. */
export const IN_ONE_TRANSACTION = 100_000;
/** A part locks its keys for some 100 ms on two cores. */
const KEYS_OF_PART = 5_000;
const PAUSE_MS = 5_000;

/**
 * Sets limits of every key of a group that is not revoked, with one event, all or none; returns how many there were. A
 * large group is written in parts, so that authorizations of its keys go on meanwhile. See docs/decisions/large-changes.md.
 * @param request the request for it, where it has a name; it is then made once.
 * @throws {LargeChangeUnderWay}
 */
export async function setLimitsOfGroup(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  groupId: string,
  changes: LimitChanges,
  request?: NamedRequest,
): Promise<{ updated: number; isReplayed: boolean }> {
  const change = limitsChangeOfMany(changes);
  const madeIn = async (transaction: Transaction) => {
    const made = request && (await changeMadeBy(transaction, accountId, request, change));
    if (made && !made.isSame) throw failWith(errors.requestOfAnotherChange());
    return made && { updated: made.updated, isReplayed: true };
  };
  const isMade = async (transaction: Transaction) => (await madeIn(transaction)) !== undefined;
  const lease = await beginLargeChange(db, accountId, groupId, IN_ONE_TRANSACTION, {
    eventId: request?.eventId,
    isMade,
  });
  if (!lease) {
    return db.prisma.$transaction(async (transaction) => {
      const made = await madeIn(transaction);
      if (made) return made;
      const updated = await changeKeysOfGroup(transaction, accountId, actor, groupId, change, request);
      return { updated, isReplayed: false };
    });
  }
  const updated = await measureLargeChange(async () => {
    try {
      let after: string | undefined;
      for (const end of [...(await listEnds(db, accountId, groupId, KEYS_OF_PART)), undefined]) {
        await writePart(db, lease, groupId, changes, { after, end });
        after = end;
      }
      const all = await countAsAskedFor(db.prisma, accountId, groupId, change);
      const answered = request && { ...request, updated: all, next: null };
      const event = { groupId, after: { ...changes }, request: answered };
      const changed = await completeLargeChange(db, lease, actor, event);
      return all ?? changed;
    } catch (error) {
      // When this fails too, the upkeep of some process does it.
      await undoLargeChange(db, lease).catch(() => {});
      throw error;
    }
  });
  return { updated, isReplayed: false };
}

/** Gives the keys of a large change that is not complete their limits back. No event is written. */
export async function undoLargeChange(db: Database, lease: Lease): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined; )
    after = await undoPart(db, lease, after, KEYS_OF_PART);
}

/**
 * Runs until `signal` aborts: undoes large changes whose process has stopped in the middle. Their limits have never held,
 * and those before are read until then, so nothing depends on when this runs, except changes that wait for it.
 */
export async function runLargeChangeUpkeep(db: Database, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for (let lease = await takeAbandonedChange(db); lease; lease = await takeAbandonedChange(db)) {
        await undoLargeChange(db, lease);
        countLargeChangeCutOff();
        const { accountId, eventId } = lease;
        log.warn({ account_id: accountId, event_id: eventId }, "a large change of limits was cut off: nothing changed");
      }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, "a large change of limits could not be undone");
    }
    await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
