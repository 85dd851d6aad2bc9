"use client";

import { useState } from "react";
import { LIMIT_NAMES, type LimitName } from "@/server/limits/schema";
import { faultsOf, type LimitDraft, type LimitFault } from "./draft";

/** What is typed into the limits' fields, and what is wrong with those that were left already. */
export function useLimitDraft(initial: LimitDraft) {
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<LimitName>>(new Set());
  const all = faultsOf(draft);
  const faults: Partial<Record<LimitName, LimitFault>> = Object.fromEntries(
    Object.entries(all).filter(([name]) => left.has(name as LimitName)),
  );
  return {
    draft,
    change: setDraft,
    faults,
    leave: (name: LimitName) => setLeft((before) => new Set(before).add(name)),
    /** Shows every fault, and says whether there is none. */
    check: () => {
      setLeft(new Set(LIMIT_NAMES));
      return Object.keys(all).length === 0;
    },
    /** Begins anew with other values. */
    reset: (next: LimitDraft) => {
      setDraft(next);
      setLeft(new Set());
    },
  };
}
