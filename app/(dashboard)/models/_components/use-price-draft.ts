"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { faultsOf, type PriceDraft, type PriceField } from "./price-draft";

/** A price that is being typed. The fault of a field shows after the field was left with text in it, or after `check`. */
export function usePriceDraft(initial: PriceDraft) {
  const t = useTranslations("models.faults");
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<PriceField> | "all">(new Set());
  const faults = faultsOf(draft);
  return {
    draft,
    change: (changed: Partial<PriceDraft>) => setDraft((before) => ({ ...before, ...changed })),
    leave: (field: PriceField) => {
      if (left !== "all" && draft[field] !== "") setLeft(new Set(left).add(field));
    },
    /** The sentence to show at a field. */
    errorOf: (field: PriceField): string | undefined => {
      const fault = left === "all" || left.has(field) ? faults[field] : undefined;
      return fault && t(fault);
    },
    /** Shows every fault, and returns whether there is none. */
    check: (): boolean => {
      setLeft("all");
      return Object.keys(faults).length === 0;
    },
  };
}

export type TypedPrice = ReturnType<typeof usePriceDraft>;
