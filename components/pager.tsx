"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "./button";

/** Moves through a long list page by page, and says which rows are shown. */
export function Pager({
  page,
  pageSize,
  rowCount,
  total,
  isTotalExact = true,
  onTurn,
}: {
  /** The page that is shown; the first page is 1. */
  page: number;
  pageSize: number;
  /** How many rows this page has. */
  rowCount: number;
  /** How many rows all pages have together. */
  total: number;
  /** False: there are more rows than `total`, and nobody has counted them. */
  isTotalExact?: boolean;
  onTurn(page: number): void;
}) {
  const t = useTranslations("components.pager");
  const before = (page - 1) * pageSize;
  const last = before + rowCount;
  // Where the rows are not counted, a page that is not full is the last one.
  const isLast = isTotalExact ? last >= total : rowCount < pageSize;
  const range = { first: Math.min(before + 1, isTotalExact ? total : last), last, total };
  // The address changes at once, so the buttons have no promise to wait for.
  const turnTo = (next: number) => () => {
    onTurn(next);
  };
  return (
    <nav aria-label={t("name")} className="flex flex-wrap items-center justify-between gap-3 pt-3">
      <p role="status" className="text-[13px] text-ink-soft tabular-nums">
        {isTotalExact ? t("rangeOf", range) : t("rangeOfMore", range)}
      </p>
      <div className="flex gap-2">
        <Button size="small" icon="chevron-left" isDisabled={page <= 1} onPress={turnTo(page - 1)}>
          {t("previous")}
        </Button>
        <Button
          size="small"
          icon="chevron-right"
          isDisabled={isLast}
          onPress={turnTo(page + 1)}
          className="flex-row-reverse"
        >
          {t("next")}
        </Button>
      </div>
    </nav>
  );
}
