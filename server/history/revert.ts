import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { PresentKey, RestoredField } from "../keys/restore-queries";
import { exactAmount } from "../limits/exact-amount";
import { BLOCKED_SHOWN, VALUES_SHOWN } from "../limits/preview";
import { isPrice, LIMIT_NAMES, type LimitName, WINDOWS } from "../limits/schema";
import { type Ceilings, ceilingsOf } from "../prices/allowed";
import type { KeysWithCeilings } from "../prices/ceiling-change";
import type { Values } from "./key-values";
import type { PreviewOfRevert, RevertibleAction } from "./schema";

// What undoing a change of keys means: pure rules. See docs/api.md#undo-a-change.

/** An event of keys, as far as undoing it goes. */
export interface KeysEvent {
  action: Extract<RevertibleAction, `key.${string}`>;
  groupId: string | null;
  after: Values;
}

/** One key of an event. `after` has the values that differ from key to key. */
export interface EventKey {
  id: string;
  name: string;
  before: Values;
  after: Values;
  /** The decimals of the numbers in `before`. */
  decimals: Readonly<Record<string, string | null>>;
}

/** The groups that exist. */
export interface LivingGroups {
  /** Names by id. */
  names: ReadonlyMap<string, string>;
  /** Ids by name, which is unique. */
  ids: ReadonlyMap<string, string>;
}

/** The fields that an event has changed, on all of its keys. */
export function fieldsOf({ action, after }: KeysEvent, keys: readonly EventKey[]): RestoredField[] {
  switch (action) {
    case "key.renamed":
      return ["name"];
    case "key.moved":
      return ["group_id"];
    case "key.limits_set":
      return LIMIT_NAMES.filter((name) => name in after || keys.some(({ before }) => name in before));
    default:
      return ["disabled"];
  }
}

/** What the event left on a key: the values of the key's own, and else those of the event. */
function valuesLeft({ action, groupId, after: shared }: KeysEvent, key: EventKey): Values {
  const after = { ...shared, ...key.after };
  if (action === "key.disabled" || action === "key.enabled") return { disabled: action === "key.disabled" };
  // Older events have the name of the group alone, and name the group that they moved keys to.
  if (action === "key.moved" && !("group_id" in after)) return { group_id: after.group === null ? null : groupId };
  return after;
}

/** What the key had before the event. A group that is gone is `undefined`. */
function valuesBefore({ action }: KeysEvent, { before }: EventKey, groups: LivingGroups): Values {
  if (action === "key.disabled" || action === "key.enabled") return { disabled: action === "key.enabled" };
  if (action !== "key.moved") return before;
  if (before.group_id === null || before.group === null) return { group_id: null };
  const id = typeof before.group_id === "string" ? before.group_id : groups.ids.get(String(before.group));
  return { group_id: id !== undefined && groups.names.has(id) ? id : undefined };
}

function valueNow(key: PresentKey, field: RestoredField): unknown {
  return field === "disabled" ? key.is_disabled : key[field];
}

/** What undoing an event does to one key: the values that it gets, or why it stays as it is. */
export type Verdict = { ok: true; restored: Values } | { ok: false; reason: Failure };

/** Judges one key of an event. @param isForced also a key that was changed since. */
export function judge(
  event: KeysEvent,
  key: EventKey,
  now: PresentKey | undefined,
  { fields, groups, isForced }: { fields: readonly RestoredField[]; groups: LivingGroups; isForced: boolean },
): Verdict {
  const refused = (reason: Failure) => ({ ok: false as const, reason });
  if (!now) return refused(errors.noSuchKey());
  if (now.is_revoked) return refused(errors.keyRevoked());
  const before = valuesBefore(event, key, groups);
  if (fields.some((field) => before[field] === undefined)) return refused(errors.formerGroupGone());
  if (fields.every((field) => valueNow(now, field) === before[field])) return refused(errors.asBefore());
  if (now.is_default && before.disabled === true) return refused(errors.defaultKeyNotDisabled());
  if (now.is_default && typeof before.group_id === "string") return refused(errors.defaultKeyHasNoGroup());
  const left = valuesLeft(event, key);
  if (!isForced && fields.some((field) => valueNow(now, field) !== left[field])) return refused(errors.changedSince());
  return { ok: true, restored: Object.fromEntries(fields.map((field) => [field, before[field]])) };
}

/** The values of a key for the event of the undoing, in the form of every event. */
export function recordedValues(
  now: PresentKey,
  restored: Values,
  fields: readonly RestoredField[],
  groups: LivingGroups,
): { before: Values; after: Values } {
  const [field] = fields;
  if (field === "disabled") return { before: {}, after: {} };
  if (field === "group_id") {
    const id = restored.group_id as string | null;
    return {
      before: { group: now.group, group_id: now.group_id },
      after: { group: id === null ? null : (groups.names.get(id) ?? null), group_id: id },
    };
  }
  const before = Object.fromEntries(fields.map((name) => [name, valueNow(now, name)]));
  return { before: exactly(before, now.decimals), after: restored };
}

/** Values whose amounts have all their decimals. */
export function exactly(values: Values, decimals: Readonly<Record<string, string | null>>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const decimal = typeof value === "number" ? decimals[name] : undefined;
      return [name, typeof decimal === "string" ? exactAmount(decimal) : value];
    }),
  );
}

type PlainValue = string | number | boolean | null;

/** Adds up what undoing an event would do, key by key. */
export class RevertPreview {
  private readonly fields = new Map<string, Map<string, PreviewOfRevert["changes"][number]["values"][number]>>();
  private readonly blocked: PreviewOfRevert["blocked"] = [];
  private readonly ceilings = new Map<string, KeysWithCeilings>();
  private keyCount = 0;
  private blockedCount = 0;

  add(now: PresentKey, restored: Values, groups: LivingGroups): void {
    this.keyCount += 1;
    for (const [field, value] of Object.entries(restored)) {
      const id = value as PlainValue;
      if (field === "group_id")
        this.count("group", now.group, id === null ? null : (groups.names.get(String(id)) ?? null));
      else this.count(field, valueNow(now, field as RestoredField) as PlainValue, id);
    }
    if (LIMIT_NAMES.some((name) => isPrice(name) && name in restored)) {
      this.countCeilings(ceilingsOf(now), ceilingsOf({ ...now, ...restored } as PresentKey));
    }
    if (now.is_active && wouldBlock(now, restored)) {
      this.blockedCount += 1;
      if (this.blocked.length < BLOCKED_SHOWN) this.blocked.push({ apikey_id: now.id, name: now.name });
    }
  }

  /** Counts a value that changes; one that stays is no change. */
  count(field: string, before: PlainValue, after: PlainValue): void {
    if (before === after) return;
    const changes = this.fields.get(field) ?? new Map();
    this.fields.set(field, changes);
    const name = JSON.stringify([before, after]);
    const change = changes.get(name) ?? { before, after, key_count: 0 };
    change.key_count += 1;
    changes.set(name, change);
  }

  /** Counts a key, or what new keys of a group start with, whose price ceilings are written. */
  countCeilings(before: Ceilings, after: Ceilings): void {
    const name = [before, after].map((each) => `${each.input_price_limit} ${each.output_price_limit}`).join(" ");
    const same = this.ceilings.get(name) ?? { before, after, keyCount: 0 };
    same.keyCount += 1;
    this.ceilings.set(name, same);
  }

  /** What would become of the price ceilings of all that was counted; none where all of them stay. */
  get ceilingChanges(): KeysWithCeilings[] {
    const all = [...this.ceilings.values()];
    const isChange = ({ before, after }: KeysWithCeilings) =>
      before.input_price_limit !== after.input_price_limit || before.output_price_limit !== after.output_price_limit;
    return all.some(isChange) ? all : [];
  }

  get answer(): PreviewOfRevert {
    const changes = [...this.fields].map(([parameter, values]) => {
      const all = [...values.values()].sort((one, other) => other.key_count - one.key_count);
      const changed_count = all.reduce((sum, { key_count }) => sum + key_count, 0);
      return { parameter, values: all.slice(0, VALUES_SHOWN), distinct_count: all.length, changed_count };
    });
    return { key_count: this.keyCount, changes, blocked_count: this.blockedCount, blocked: this.blocked };
  }
}

/** Whether a key that works now would be refused from this moment on, whatever it asks for. */
function wouldBlock({ used, today }: PresentKey, restored: Values): boolean {
  if (restored.disabled === true) return true;
  const limitOf = (name: LimitName) => restored[name];
  const expiryDate = limitOf("expiry_date");
  if (typeof expiryDate === "string" && expiryDate < today) return true;
  return WINDOWS.some((name) => {
    const limit = limitOf(name);
    return typeof limit === "number" && limit > 0 && used[name] >= limit;
  });
}
