import type { Key } from "@/server/keys/schema";

/** The selected keys by id: what each has spent in yuan, and its group. */
export type Selected = ReadonlyMap<string, { spent: number; groupId: string | null }>;

/** Whether anything can be done to a key together with others. */
export function isSelectable({ status }: Key): boolean {
  return status !== "revoked";
}

/** The selection after these keys are selected or deselected. */
export function withKeys(selected: Selected, keys: Key[], isSelected: boolean): Selected {
  const next = new Map(selected);
  for (const { apikey_id, spent, group_id: groupId } of keys) {
    if (isSelected) next.set(apikey_id, { spent, groupId });
    else next.delete(apikey_id);
  }
  return next;
}

/** The group that all selected keys are in; `null`: none of them is in one. Undefined: they differ. */
export function sharedGroup(selected: Selected): string | null | undefined {
  const groups = new Set([...selected.values()].map(({ groupId }) => groupId));
  return groups.size === 1 ? [...groups][0] : undefined;
}
