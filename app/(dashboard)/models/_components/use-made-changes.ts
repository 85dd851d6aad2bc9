"use client";

import { useRef } from "react";
import { isUnanswered } from "@/app/_trpc/failure";
import type { PriceChange } from "@/server/prices/schema";

interface Answer {
  changes: Pick<PriceChange, "change" | "name">[];
}

/**
 * Makes a change of prices, and returns what it has done, and since when. When an earlier attempt was not answered and the next one
 * finds nothing to do any more, the earlier one has done what was planned.
 */
export function useMadeChanges() {
  const lostSince = useRef<number>(undefined);
  return async <Done extends Answer, Planned extends Answer>(make: () => Promise<Done>, planned: Planned) => {
    const since = performance.now();
    try {
      const done = await make();
      const isNothing = done.changes.every(({ change }) => change === "unchanged");
      if (lostSince.current !== undefined && isNothing) return { done: planned, since: lostSince.current };
      return { done, since };
    } catch (error) {
      if (isUnanswered(error)) lostSince.current ??= since;
      throw error;
    }
  };
}
