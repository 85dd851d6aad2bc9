"use client";

import { useTranslations } from "use-intl/react";
import { Button } from "./button";

/** Moves through a long list page by page. */
export function Pager({
  first,
  last,
  total,
  onPrevious,
  onNext,
}: {
  /** Places of the first and the last row shown, counted from 1; 0 and 0 when there is none. */
  first: number;
  last: number;
  /** Of all pages; undefined where it is not counted. */
  total?: number | undefined;
  /** Absent on the first page. */
  onPrevious?: (() => void) | undefined;
  /** Absent on the last page. */
  onNext?: (() => void) | undefined;
}) {
  const t = useTranslations("components.pager");
  return (
    <nav aria-label={t("name")} className="flex flex-wrap items-center justify-between gap-3 pt-3">
      <p role="status" className="text-[13px] text-ink-soft tabular-nums">
        {total === undefined ? t("range", { first, last }) : t("rangeOf", { first, last, total })}
      </p>
      <div className="flex gap-2">
        <Button size="small" icon="chevron-left" isDisabled={!onPrevious} onPress={onPrevious}>
          {t("previous")}
        </Button>
        <Button size="small" isDisabled={!onNext} onPress={onNext} icon="chevron-right" className="flex-row-reverse">
          {t("next")}
        </Button>
      </div>
    </nav>
  );
}
