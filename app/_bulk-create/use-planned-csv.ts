"use client";

import { draftOf, EMPTY_DRAFT, type LimitDraft, SHOWN_NAMES } from "@/app/_limits/draft";
import { trpc } from "@/app/_trpc/client";
import type { CsvKey } from "./csv-keys";
import { type PlannedKey, withDefaults } from "./planned-key";

/** Looks up the groups that lines of CSV name, and fills their empty cells in from the defaults of these groups. */
export function usePlannedCsv(): (keys: readonly CsvKey[]) => Promise<PlannedKey[]> {
  const utils = trpc.useUtils();
  return async (keys) => {
    const named = new Set(keys.flatMap(({ group }) => group?.normalize("NFC") ?? []));
    const ids = new Map<string, string>();
    const defaults = new Map<string, LimitDraft>();
    if (named.size > 0) {
      const { data } = await utils.groups.list.fetch();
      for (const { id, name } of data) if (named.has(name)) ids.set(name, id);
      const found = await Promise.all([...ids.values()].map((id) => utils.groups.get.fetch({ group_id: id })));
      for (const group of found) defaults.set(group.id, draftOf(group.defaults));
    }
    return keys.map(({ name, group: typed, limits, hasMoreCells }) => {
      const groupName = typed?.normalize("NFC");
      const id = groupName === undefined ? undefined : ids.get(groupName);
      const ofGroup = (id !== undefined && defaults.get(id)) || EMPTY_DRAFT;
      return {
        name,
        group: groupName === undefined ? null : { id, name: groupName },
        limits: withDefaults(limits, ofGroup),
        fromGroup: SHOWN_NAMES.filter((limit) => limits[limit] === undefined && ofGroup[limit] !== null),
        hasMoreCells,
      };
    });
  };
}
