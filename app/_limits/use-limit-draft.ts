"use client";

import { useState } from "react";
import { LIMIT_NAMES, type LimitName } from "@/server/limits/schema";
import { faultsOf, type LimitDraft, type LimitFault } from "./draft";

/** Limits that are being typed. The fault of a field shows after the field was left, or after `check`. */
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
    /** Shows every fault, and returns whether there is none. */
    check: () => {
      setLeft(new Set(LIMIT_NAMES));
      return Object.keys(all).length === 0;
    },
    /** Starts again with other limits. */
    reset: (next: LimitDraft) => {
      setDraft(next);
      setLeft(new Set());
    },
  };
}

export type TypedLimits = ReturnType<typeof useLimitDraft>;
