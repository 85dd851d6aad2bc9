"use client";

import { useRefresh } from "@/app/_trpc/use-refresh";
import { useUndoableToast } from "@/app/_undo/use-undoable-toast";
import type { PriceChange } from "@/server/prices/schema";

/** A change of prices that was just made. */
interface MadeChange {
  action: "models.set" | "models.imported" | "models.deleted";
  /** A moment before it was asked for, by `performance.now()`. */
  since: number;
  /** What became of each price. */
  changes: readonly Pick<PriceChange, "change" | "name">[];
}

/** Says what became of prices, and offers to undo it where anything did. Resolves when the page is read again, as `useRefresh`. */
export function usePriceToast(): (text: string, made: MadeChange) => Promise<unknown> {
  const toast = useUndoableToast();
  const refresh = useRefresh();
  return (text, { action, since, changes }) => {
    const made = changes.filter(({ change }) => change !== "unchanged");
    const [first] = made;
    const after = { price_count: made.length, ...(made.length === 1 && { model: first?.name }) };
    toast(text, first && { action, since, after });
    return refresh();
  };
}
