"use client";

import { useEffect, useMemo, useState } from "react";
import type { KeySort } from "@/server/keys/schema";

/** The columns that may be hidden. Name and status always show. */
export const COLUMNS = [
  "group",
  "spent_today",
  "spent_this_month",
  "spent",
  "prices",
  "last_used_at",
  "expiry_date",
  "created_at",
] as const;

export type Column = (typeof COLUMNS)[number];

/** The sort order that a column stands for. Rows cannot be sorted by the other columns. */
export const SORT_OF: Partial<Record<Column, KeySort>> = {
  spent_today: "spent_today",
  spent_this_month: "spent_this_month",
  spent: "spent",
  last_used_at: "last_used_at",
  expiry_date: "expiry_date",
  created_at: "created_at",
};

const AMOUNTS = ["spent_today", "spent_this_month", "spent", "prices"] as const;

/** Whether a column has amounts, which stand at its right edge. */
export function isAmount(column: Column): column is (typeof AMOUNTS)[number] {
  return AMOUNTS.some((amount) => amount === column);
}

const PLACE = "keys.hiddenColumns";
const HIDDEN_AT_FIRST: Column[] = ["created_at"];

/** Which columns show. The browser keeps the choice. */
export function useColumns(): { shown: Column[]; toggle(column: Column): void } {
  const [hidden, setHidden] = useState<Column[]>(HIDDEN_AT_FIRST);
  // In an effect, because the first rendering must equal the server's.
  useEffect(() => {
    const kept = localStorage.getItem(PLACE);
    if (kept !== null) setHidden(COLUMNS.filter((column) => kept.split(",").includes(column)));
  }, []);
  const shown = useMemo(() => COLUMNS.filter((column) => !hidden.includes(column)), [hidden]);
  return {
    shown,
    toggle(column) {
      const next = hidden.includes(column) ? hidden.filter((each) => each !== column) : [...hidden, column];
      localStorage.setItem(PLACE, next.join(","));
      setHidden(next);
    },
  };
}
