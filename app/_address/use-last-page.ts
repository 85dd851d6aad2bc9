import { useEffect } from "react";
import { trpc } from "@/app/_trpc/client";

/**
 * Turns from a page behind the end of a list to its last page. The last rows may have gone, and an old link may name a page that
 * no longer exists. What the browser has read of the other pages is then older than what has gone, so all of it is read again.
 * @param list the list that was read for this page; undefined until it is there. Where its total is not exact, rows may follow
 * behind it, so only a page without rows is behind the end.
 */
export function useLastPage(
  page: number,
  list: { data: unknown[]; total: number; page_size: number } | undefined,
  turnTo: (page: number) => void,
): void {
  const utils = trpc.useUtils();
  const lastPage = list?.data.length === 0 ? Math.max(1, Math.ceil(list.total / list.page_size)) : page;
  useEffect(() => {
    if (page <= lastPage) return;
    turnTo(lastPage);
    void utils.invalidate();
  }, [lastPage, page, turnTo, utils]);
}
