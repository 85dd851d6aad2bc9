import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { lockGroups } from "../groups/queries";
import { afterLargeChange } from "../keys/change-order-queries";
import {
  lockKeys,
  type PresentKey,
  type RestoredField,
  type RestoredKey,
  readPresentKeys,
  restoreKeys,
  restoreLargely,
} from "../keys/restore-queries";
import { LIMIT_NAMES } from "../limits/schema";
import type { Actor } from "./actor";
import { fieldsOfChunks, keysOfEventAfter } from "./event-keys";
import type { Values } from "./key-values";
import { recordDifferingKeys } from "./recording";
import { type EventKey, exactly, fieldsOf, judge, type LivingGroups, RevertPreview, recordedValues } from "./revert";
import type { RevertedEvent, RevertOptions, Unfinished } from "./reverted";
import { FAILED_SHOWN, type LeftOut } from "./schema";

/** Up to so many keys are undone in one transaction. Limits of more go the way of a large change, other changes in parts. */
const KEYS_AT_ONCE = 5_000;

/** The keys that an undoing changes, and those that it leaves. */
class Survey {
  readonly able: EventKey[] = [];
  readonly failed: LeftOut[] = [];
  readonly preview = new RevertPreview();
  failedCount = 0;
  skipped = 0;

  leave({ id, name }: EventKey, now: PresentKey | undefined, { code, reason }: Failure): void {
    this.failedCount += 1;
    if (code === errors.changedSince().code) this.skipped += 1;
    if (this.failed.length >= FAILED_SHOWN) return;
    this.failed.push({ apikey_id: id, group_id: null, valid_from: null, name: now?.name ?? name, code, error: reason });
  }
}

/** Undoes an event of keys, or says what would happen. See docs/api.md#undo-a-change. */
export async function revertKeys(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  event: RevertedEvent,
  { isForced, isDryRun }: RevertOptions,
): Promise<Unfinished> {
  const survey = new Survey();
  if (!isDryRun && event.action === "key.limits_set" && event.keyCount > KEYS_AT_ONCE) {
    const { updated, eventId } = await revertLargely(db, accountId, actor, event, isForced, survey);
    return finished(survey, updated, eventId === undefined ? [] : [eventId]);
  }
  for (let after = ""; ; ) {
    const part = await readEventKeys(db, accountId, event.id, after);
    const last = part.at(-1);
    if (!last) break;
    after = last.id;
    const judged = await judgeKeys(db.prisma, accountId, event, part, isForced, survey);
    survey.able.push(...judged.map(({ key }) => key));
    for (const { now, restored, groups } of judged) survey.preview.add(now, restored, groups);
  }
  const { able } = survey;
  const eventIds: string[] = [];
  let updated = 0;
  if (!isDryRun && able.length > 0) {
    // What is able now is judged again when it is locked.
    const parts: EventKey[][] = [];
    for (let from = 0; from < able.length; from += KEYS_AT_ONCE) parts.push(able.slice(from, from + KEYS_AT_ONCE));
    for (const part of parts) {
      const { keys, eventId } = await afterLargeChange(db, accountId, () =>
        db.prisma.$transaction((transaction) =>
          revertPart(transaction, accountId, actor, event, part, isForced, survey),
        ),
      );
      updated += keys.length;
      if (eventId !== undefined) eventIds.push(eventId);
    }
  }
  return finished(survey, updated, eventIds);
}

function finished(survey: Survey, updated: number, eventIds: string[]): Unfinished {
  const { failed, failedCount, skipped, preview } = survey;
  const done = { noun: "key" as const, updated, failed, failedCount, skipped, eventIds, name: null };
  return { ...done, preview: preview.answer, counted: preview };
}

/** Undoes limits of many keys. The survey notes those that it leaves. */
function revertLargely(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  event: RevertedEvent,
  isForced: boolean,
  survey: Survey,
) {
  return afterLargeChange(db, accountId, async () => {
    const [group] = await livingGroup(db.prisma, accountId, event.groupId);
    const { id: eventId, after, keyCount } = event;
    const rows = await db.prisma.$queryRaw<{ field: string }[]>(fieldsOfChunks(accountId, eventId));
    const names = LIMIT_NAMES.filter((name) => name in after || rows.some(({ field }) => field === name));
    const restoring = { eventId, names, after, keyCount, isForced };
    return restoreLargely(
      db,
      accountId,
      actor,
      { ...restoring, groupId: group?.id },
      async (transaction, ids, from) => {
        const left = new Set(ids);
        for (let next = from; left.size > 0; ) {
          const part = await readEventKeys({ prisma: transaction }, accountId, eventId, next);
          const last = part.at(-1);
          if (!last) break;
          next = last.id;
          const ofThese = part.filter(({ id }) => left.delete(id));
          await judgeKeys(transaction, accountId, event, ofThese, isForced, survey);
        }
      },
    );
  });
}

async function readEventKeys(
  db: { prisma: Transaction },
  accountId: AccountId,
  eventId: string,
  after: string,
): Promise<EventKey[]> {
  const rows = await db.prisma.$queryRaw<(Omit<EventKey, "id" | "name"> & { key_id: string; key_name: string })[]>`
    SELECT *, (SELECT coalesce(jsonb_object_agg(field, value), '{}') FROM jsonb_each_text(before) AS of_key(field, value))
      AS decimals
    FROM (${keysOfEventAfter(accountId, eventId, after)}) AS part ORDER BY key_id`;
  return rows.map(({ key_id: id, key_name: name, ...values }) => ({ id, name, ...values }));
}

interface Judged {
  key: EventKey;
  now: PresentKey;
  restored: Values;
  groups: LivingGroups;
}

/** The keys of a part that can be undone. The survey notes the others. */
async function judgeKeys(
  db: Transaction,
  accountId: AccountId,
  event: RevertedEvent,
  part: readonly EventKey[],
  isForced: boolean,
  survey: Survey,
  locked?: LivingGroups,
): Promise<Judged[]> {
  const groups = locked ?? (await lockFormerGroups(db, accountId, event, part));
  const fields = fieldsOf(event, part);
  const present = await readPresentKeys(
    db,
    accountId,
    part.map(({ id }) => id),
  );
  return part.flatMap((key) => {
    const now = present.get(key.id);
    const verdict = judge(event, key, now, { fields, groups, isForced });
    if (verdict.ok && now) return [{ key, now, restored: verdict.restored, groups }];
    if (!verdict.ok) survey.leave(key, now, verdict.reason);
    return [];
  });
}

/** The groups that the keys of a part were in, as far as they exist. In a transaction they stay until its end. */
async function lockFormerGroups(
  db: Transaction,
  accountId: AccountId,
  event: RevertedEvent,
  part: readonly EventKey[],
): Promise<LivingGroups> {
  if (event.action !== "key.moved") return { names: new Map(), ids: new Map() };
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const { before } of part) {
    if (typeof before.group_id === "string") ids.add(before.group_id);
    else if (typeof before.group === "string" && !("group_id" in before)) names.add(before.group);
  }
  const found = await lockGroups(db, accountId, { ids: [...ids], names: [...names] });
  return {
    names: new Map(found.map(({ id, name }) => [id, name])),
    ids: new Map(found.map(({ id, name }) => [name, id])),
  };
}

async function livingGroup(db: Transaction, accountId: AccountId, groupId: string | null) {
  return groupId === null ? [] : lockGroups(db, accountId, { ids: [groupId], names: [] });
}

function restoredKey({ key, now, restored: plain, groups }: Judged, fields: readonly RestoredField[]): RestoredKey {
  const restored = exactly(plain, key.decimals);
  return { id: key.id, name: now.name, ...recordedValues(now, restored, fields, groups), restored };
}

/** The action of the event that undoes one. */
const UNDOING = {
  "key.renamed": "key.renamed",
  "key.moved": "key.moved",
  "key.limits_set": "key.limits_set",
  "key.disabled": "key.enabled",
  "key.enabled": "key.disabled",
} as const;

/** Undoes the event on the keys of a part, all of them or none, with one event. */
async function revertPart(
  transaction: Transaction,
  accountId: AccountId,
  actor: Actor,
  event: RevertedEvent,
  part: readonly EventKey[],
  isForced: boolean,
  survey: Survey,
): Promise<{ keys: RestoredKey[]; eventId?: string }> {
  // Groups before keys, as every change locks them.
  const groups = await lockFormerGroups(transaction, accountId, event, part);
  await lockKeys(
    transaction,
    accountId,
    part.map(({ id }) => id),
  );
  const judged = await judgeKeys(transaction, accountId, event, part, isForced, survey, groups);
  if (judged.length === 0) return { keys: [] };
  const fields = fieldsOf(event, part);
  const keys = judged.map((each) => restoredKey(each, fields));
  await restoreKeys(transaction, accountId, keys, fields);
  const group = await groupOfEvent(transaction, accountId, event, keys);
  const eventId = await recordDifferingKeys(
    transaction,
    accountId,
    actor,
    { action: UNDOING[event.action], ...(group && { group }), reverts: event.id },
    keys,
  );
  return { keys, eventId };
}

/** The group that the event of the undoing names: that of the event, or the one that all keys are moved to. */
async function groupOfEvent(
  transaction: Transaction,
  accountId: AccountId,
  event: RevertedEvent,
  keys: readonly RestoredKey[],
): Promise<{ id: string; name: string } | undefined> {
  if (event.action !== "key.moved") return (await livingGroup(transaction, accountId, event.groupId))[0];
  const [first] = keys;
  const isShared = keys.every(({ restored }) => restored.group_id === first?.restored.group_id);
  const { group_id: id, group: name } = (isShared && first?.after) || {};
  return typeof id === "string" && typeof name === "string" ? { id, name } : undefined;
}
