import { useEffect } from "react";

/**
 * Turns from a page behind the end of a list to its last page. The last rows may have gone, and an old link may name a page that
 * no longer exists.
 * @param list the list that was read for this page; undefined until it is there.
 */
export function useLastPage(
  page: number,
  list: { total: number; page_size: number } | undefined,
  turnTo: (page: number) => void,
): void {
  const lastPage = list && Math.max(1, Math.ceil(list.total / list.page_size));
  useEffect(() => {
    if (lastPage !== undefined && page > lastPage) turnTo(lastPage);
  }, [lastPage, page, turnTo]);
}
