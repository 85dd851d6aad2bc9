import type { Key } from "@/server/keys/schema";

/** The selected keys: the id of each key, and what it has spent in yuan. */
export type Selected = ReadonlyMap<string, number>;

/** The selection after these keys are selected or deselected. */
export function withKeys(selected: Selected, keys: Key[], isSelected: boolean): Selected {
  const next = new Map(selected);
  for (const { apikey_id, spent } of keys) {
    if (isSelected) next.set(apikey_id, spent);
    else next.delete(apikey_id);
  }
  return next;
}
