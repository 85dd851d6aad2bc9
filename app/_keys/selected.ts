import type { LeftOut } from "@/app/_batch/left-out-list";
import type { Key } from "@/server/keys/schema";
import { REFUSED_TO_DEFAULT_KEY } from "./key-action";

/** The selected keys by id: what each has spent in yuan, its group, and whether it is the default key. */
export type Selected = ReadonlyMap<string, { spent: number; groupId: string | null; isDefault: boolean }>;

/** Whether anything can be done to a key together with others. */
export function isSelectable({ status }: Key): boolean {
  return status !== "revoked";
}

/** The selection after these keys are selected or deselected. */
export function withKeys(selected: Selected, keys: Key[], isSelected: boolean): Selected {
  const next = new Map(selected);
  for (const { apikey_id, spent, group_id: groupId, is_default: isDefault } of keys) {
    if (isSelected) next.set(apikey_id, { spent, groupId, isDefault });
    else next.delete(apikey_id);
  }
  return next;
}

/** The selection with these keys as they are now. Each may have been moved or revoked since it was selected. */
export function withPresent(selected: Selected, keys: Key[]): Selected {
  const ticked = keys.filter(({ apikey_id }) => selected.has(apikey_id));
  const gone = ticked.filter((key) => !isSelectable(key));
  return withKeys(withKeys(selected, ticked, true), gone, false);
}

/** The selected keys that an action can be done to, and the reason why the default key is left out, if it is. */
export function fitting(selected: Selected, action: string): { fit: Selected; leftOut: LeftOut[] } {
  const code = REFUSED_TO_DEFAULT_KEY[action];
  const fit = new Map([...selected].filter(([, { isDefault }]) => !isDefault));
  if (code === undefined || fit.size === selected.size) return { fit: selected, leftOut: [] };
  return { fit, leftOut: [{ code, key_count: 1 }] };
}

/** The group that all selected keys are in; `null`: none of them is in one. Undefined: they differ. */
export function sharedGroup(selected: Selected): string | null | undefined {
  const groups = new Set([...selected.values()].map(({ groupId }) => groupId));
  return groups.size === 1 ? [...groups][0] : undefined;
}
