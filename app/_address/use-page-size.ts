"use client";

import { useEffect, useRef } from "react";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, type PageSize } from "./page-size";

const PLACE = "lists.pageSize";

/**
 * Remembers in the browser how many rows a page has, for addresses that do not say it.
 * @param size of the address.
 * @param onRecall puts a remembered size into the address.
 */
export function usePageSize(
  size: PageSize | null,
  onRecall: (size: PageSize) => void,
): { remember(size: PageSize): void } {
  const recall = useRef(onRecall);
  recall.current = onRecall;
  // In an effect, because the first rendering must equal the server's.
  useEffect(() => {
    const kept = PAGE_SIZES.find((each) => String(each) === localStorage.getItem(PLACE));
    if (size === null && kept !== undefined && kept !== DEFAULT_PAGE_SIZE) recall.current(kept);
  }, [size]);
  return { remember: (chosen) => localStorage.setItem(PLACE, String(chosen)) };
}
