import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Outcome } from "../outcome";
import type { Catalogues } from "../prices/catalogues";
import { changeOfCeilings } from "../prices/ceiling-change";
import { changeAnswer } from "../prices/change-queries";
import { revertPrices } from "../prices/revert-queries";
import type { Actor } from "./actor";
import type { Values } from "./key-values";
import { RevertPreview } from "./revert";
import { revertGroup } from "./revert-group-queries";
import { revertKeys } from "./revert-key-queries";
import type { Reverted, RevertedEvent, RevertOptions } from "./reverted";
import { FAILED_SHOWN, PRICES_SHOWN, REVERTIBLE_ACTIONS, type RevertibleAction } from "./schema";

/** Undoes an event of the account, with an event of its own (docs/api.md#undo-a-change). */
export async function revertEvent(
  { db, catalogues }: { db: Database; catalogues: Catalogues },
  accountId: AccountId,
  actor: Actor,
  eventId: string,
  options: RevertOptions,
): Promise<Outcome<Reverted, Failure>> {
  const event = await findEvent(db, accountId, eventId);
  if (!event) return { ok: false, reason: errors.noSuchEvent() };
  const { id, action, groupId, before, after, keyCount } = event;
  if (!isRevertible(action)) return { ok: false, reason: errors.notRevertible(action) };
  if (isOfPrices(action)) {
    const outcome = await revertPrices(db, accountId, actor, id, options);
    // An event of prices without them is of an older version.
    if (!outcome) return { ok: false, reason: errors.notRevertible(action) };
    return outcome.ok ? { ok: true, ...ofPrices(outcome, options) } : outcome;
  }
  const undoing = action === "group.changed" ? revertGroup : revertKeys;
  const given = { id, action, groupId, before, after, keyCount } as RevertedEvent & { before: Values };
  const { counted, ...reverted } = await undoing(db, accountId, actor, given, options);
  const ceilings = options.isDryRun ? counted.ceilingChanges : [];
  if (ceilings.length === 0) return { ok: true, ...reverted };
  const models = await changeOfCeilings((await catalogues.find(accountId)).inForce(), ceilings);
  return { ok: true, ...reverted, preview: { ...reverted.preview, models } };
}

function isOfPrices(action: RevertibleAction): action is Extract<RevertibleAction, `models.${string}`> {
  return action.startsWith("models.");
}

type RevertedPrices = Extract<Awaited<ReturnType<typeof revertPrices>>, { ok: true }>;

function ofPrices({ changes, left, eventId }: RevertedPrices, { isDryRun }: RevertOptions): Reverted {
  const failed = left.slice(0, FAILED_SHOWN).map(({ name, validFrom, reason: { code, reason } }) => ({
    apikey_id: null,
    group_id: null,
    valid_from: validFrom,
    name,
    code,
    error: reason,
  }));
  const prices = changes.slice(0, PRICES_SHOWN).map(changeAnswer);
  return {
    noun: "price",
    updated: isDryRun ? 0 : changes.length,
    failed,
    failedCount: left.length,
    skipped: left.filter(({ reason }) => reason.code === errors.changedSince().code).length,
    eventIds: eventId === undefined ? [] : [eventId],
    name: null,
    preview: { ...new RevertPreview().answer, price_count: changes.length, prices },
  };
}

function isRevertible(action: string): action is RevertibleAction {
  return (REVERTIBLE_ACTIONS as readonly string[]).includes(action);
}

function findEvent(db: Database, accountId: AccountId, id: string) {
  return db.prisma.event.findUnique({
    where: { accountId_id: { accountId, id } },
    select: { id: true, action: true, groupId: true, before: true, after: true, keyCount: true },
  });
}
