import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { type GroupFields, lockGroupToChange, unlessNameTaken, writeGroup } from "../groups/queries";
import { defaultColumn } from "../limits/columns";
import { type Ceiling, isPrice, LIMIT_NAMES } from "../limits/schema";
import { type Ceilings, ceilingsOf } from "../prices/allowed";
import type { Actor } from "./actor";
import type { Values } from "./key-values";
import { RevertPreview } from "./revert";
import type { RevertedEvent, RevertOptions, Unfinished } from "./reverted";

/** Undoes an event of a group, or says what would happen. See docs/api.md#undo-a-change. */
export async function revertGroup(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  event: Omit<RevertedEvent, "action"> & { before: Values },
  { isForced, isDryRun }: RevertOptions,
): Promise<Unfinished> {
  const { id: reverts, groupId, before, after } = event;
  const preview = new RevertPreview();
  let name: string | null = null;
  let eventId: string | undefined;
  let reason: Failure | undefined;
  const work = async (transaction: Transaction) => {
    const group = groupId === null ? undefined : await lockGroupToChange(transaction, accountId, groupId);
    if (!group) {
      reason = errors.noSuchGroup();
      return;
    }
    name = group.name;
    const fields = (Object.keys(group) as (keyof GroupFields)[]).filter((field) => field in before);
    const change: Partial<GroupFields> = Object.fromEntries(fields.map((field) => [field, before[field]]));
    if (fields.every((field) => group[field] === before[field])) reason = errors.asBefore();
    else if (!isForced && fields.some((field) => group[field] !== after[field])) reason = errors.changedSince();
    if (reason) return;
    // Counted once it is written: where the former name is taken, nothing changes.
    eventId = await writeGroup(transaction, accountId, actor, group, change, reverts);
    for (const field of fields) preview.count(field, group[field], change[field] ?? null);
    preview.countCeilings(defaultCeilings(group), defaultCeilings({ ...group, ...change }));
    name = change.name ?? group.name;
    if (isDryRun) throw new DryRun();
  };
  const outcome = await unlessNameTaken(db.prisma.$transaction(work)).catch((error) => {
    if (error instanceof DryRun) return { ok: true as const };
    throw error;
  });
  if (!outcome.ok) reason = outcome.reason;
  const failed = reason && [
    { apikey_id: null, group_id: groupId, valid_from: null, name, code: reason.code, error: reason.reason },
  ];
  return {
    noun: "group",
    updated: isDryRun || failed ? 0 : 1,
    failed: failed ?? [],
    failedCount: failed ? 1 : 0,
    skipped: reason?.code === errors.changedSince().code ? 1 : 0,
    eventIds: isDryRun || failed || eventId === undefined ? [] : [eventId],
    name,
    preview: preview.answer,
    counted: preview,
  };
}

/** The price ceilings that new keys of a group start with. */
function defaultCeilings(group: GroupFields): Ceilings {
  const ceilings = LIMIT_NAMES.filter(isPrice).map((name) => [name, group[defaultColumn(name)]] as const);
  return ceilingsOf(Object.fromEntries(ceilings) as Record<Ceiling, number | null>);
}

/** Rolls a transaction back that has shown what would happen. */
class DryRun extends Error {}
