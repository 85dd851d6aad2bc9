"use client";

import { useEffect, useMemo, useRef } from "react";
import { draftOf, EMPTY_DRAFT } from "@/app/_limits/draft";
import type { TypedLimits } from "@/app/_limits/use-limit-draft";
import { trpc } from "@/app/_trpc/client";
import { namesFromDefaults, refilled } from "./refill";

/** Fills the limits of a form in from the defaults of the group that is chosen. `null` is no group. */
export function useGroupDefaults(groupId: string | null, limits: TypedLimits) {
  const group = trpc.groups.get.useQuery({ group_id: groupId ?? "" }, { enabled: groupId !== null });
  const found = groupId === null ? undefined : group.data;
  const values = found?.defaults;
  const defaults = useMemo(() => (values === undefined ? EMPTY_DRAFT : draftOf(values)), [values]);
  const filled = useRef(EMPTY_DRAFT);
  const isKnown = groupId === null || found !== undefined;
  const { draft, change } = limits;
  useEffect(() => {
    if (!isKnown || filled.current === defaults) return;
    change(refilled(draft, filled.current, defaults));
    filled.current = defaults;
  }, [isKnown, defaults, draft, change]);
  return {
    groupName: found?.name ?? "",
    /** The limits that have the default of the group. */
    names: namesFromDefaults(draft, defaults),
    error: groupId === null ? null : group.error,
    isReading: !isKnown && group.isFetching,
    /**
     * Waits for the defaults. The answer is whether the form has shown them already: otherwise it shows them now, and is
     * submitted again.
     */
    settle: async (): Promise<boolean> => {
      if (isKnown) return true;
      const { data } = await group.refetch({ throwOnError: true });
      return data !== undefined && Object.values(draftOf(data.defaults)).every((value) => value === null);
    },
  };
}

export type GroupDefaults = ReturnType<typeof useGroupDefaults>;
