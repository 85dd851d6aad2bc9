"use client";

import { useEffect, useRef } from "react";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, type PageSize } from "./page-size";

const PLACE = "lists.pageSize";

/**
 * How many rows a page has. The address says it; where it does not, the browser remembers the last choice.
 * @param size of the address.
 * @param onRecall puts a remembered size into the address.
 */
export function usePageSize(
  size: PageSize | null,
  onRecall: (size: PageSize) => void,
): { size: PageSize; remember(size: PageSize): void } {
  const recall = useRef(onRecall);
  recall.current = onRecall;
  // In an effect, because the first rendering must equal the server's.
  useEffect(() => {
    const kept = PAGE_SIZES.find((each) => String(each) === localStorage.getItem(PLACE));
    if (size === null && kept !== undefined && kept !== DEFAULT_PAGE_SIZE) recall.current(kept);
  }, [size]);
  return {
    size: size ?? DEFAULT_PAGE_SIZE,
    remember: (chosen) => localStorage.setItem(PLACE, String(chosen)),
  };
}
