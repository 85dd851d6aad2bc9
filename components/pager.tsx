"use client";

import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "./button";
import { useEnteredEarly } from "./entered-early";
import { FilterSelect } from "./select-field";
import { useFormats } from "./use-formats";

interface PagerProps<Size extends number> {
  /** The page that is shown; the first page is 1. */
  page: number;
  /** The page of the address. It is another one while that page is on its way. */
  asked?: number;
  pageSize: number;
  /** How many rows this page has. */
  rowCount: number;
  /** How many rows all pages have together. */
  total: number;
  /** False: there are more rows than `total`, and nobody has counted them. */
  isTotalExact?: boolean;
  onTurn(page: number): void;
  /** How many rows a page may have, if the reader may choose. */
  sizes?: readonly Size[];
  onResize?(size: Size): void;
}

/**
 * Moves through a long list page by page or to a page by its number, and says which rows are shown. It stands right behind the
 * list, and brings the beginning of a page that it has turned to into view.
 */
export function Pager<Size extends number>({
  page,
  asked = page,
  pageSize,
  rowCount,
  total,
  isTotalExact = true,
  onTurn,
  sizes = [],
  onResize,
}: PagerProps<Size>) {
  const t = useTranslations("components.pager");
  const before = (page - 1) * pageSize;
  const last = before + rowCount;
  // Where the rows are not counted, a page that is not full is the last one.
  const isLast = isTotalExact ? last >= total : rowCount < pageSize;
  const range = { first: Math.min(before + 1, isTotalExact ? total : last), last, total };
  const nav = useRef<HTMLElement>(null);
  const isTurning = useRef(false);
  const turn = (next: number) => {
    // A second press asks for the same page, and would only add its address to the history of the browser once more.
    if (next === asked) return;
    isTurning.current = true;
    onTurn(next);
  };
  // The address changes at once, so the buttons have no promise to wait for.
  const turnTo = (next: number) => () => turn(next);
  // Back and forward bring the place of the page with them, and are left alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows have changed when the page has
  useEffect(() => {
    if (!isTurning.current) return;
    isTurning.current = false;
    nav.current?.previousElementSibling?.querySelector("tbody > tr, li")?.scrollIntoView({ block: "nearest" });
  }, [page]);
  const pages = Math.ceil(total / pageSize);
  return (
    <nav ref={nav} aria-label={t("name")} className="flex flex-wrap items-center justify-between gap-3 pt-3">
      <p role="status" className="text-[0.8125rem] text-ink-soft tabular-nums">
        {isTotalExact ? t("rangeOf", range) : t("rangeOfMore", range)}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {sizes.length > 0 && total > Math.min(...sizes) && (
          <FilterSelect
            label={t("size")}
            isQuiet
            value={String(pageSize)}
            onChange={(value) => {
              const size = sizes.find((each) => String(each) === value);
              if (size !== undefined) onResize?.(size);
            }}
            options={sizes.map((size) => ({ value: String(size), label: t("rows", { count: size }) }))}
          />
        )}
        {pages > 1 && <PageField page={page} pages={pages} isTotalExact={isTotalExact} onTurn={turn} />}
        <div className="flex flex-wrap gap-2">
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
      </div>
    </nav>
  );
}

/** The number of the page. Enter and leaving the field go to the page that was typed, or to the nearest that there is. */
function PageField({
  page,
  pages,
  isTotalExact,
  onTurn,
}: {
  page: number;
  /** How many pages there are; where the rows are not counted, there are more. */
  pages: number;
  isTotalExact: boolean;
  onTurn(page: number): void;
}) {
  const t = useTranslations("components.pager");
  const formats = useFormats();
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(String(page));
  useEnteredEarly(box, "value", typed, setTyped);
  const [shown, setShown] = useState(page);
  // The page may change from outside, as by "Next".
  if (shown !== page) {
    setShown(page);
    setTyped(String(page));
  }
  const go = () => {
    const wanted = /^\d+$/.test(typed.trim()) ? Math.max(1, Number(typed)) : page;
    const next = isTotalExact ? Math.min(wanted, pages) : wanted;
    setTyped(String(next));
    if (next !== page) onTurn(next);
  };
  return (
    <span className="inline-flex items-center gap-2 text-[0.8125rem] text-ink-soft">
      <label htmlFor={id}>{t("page")}</label>
      <input
        id={id}
        ref={box}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        style={{ width: `${Math.max(typed.length, 2) + 2.5}ch` }}
        className="h-8 rounded-lg border border-line bg-raised px-2 text-center text-ink tabular-nums pointer-coarse:h-10 pointer-coarse:text-base"
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={go}
        onKeyDown={(event) => event.key === "Enter" && go()}
      />
      {isTotalExact && <span className="tabular-nums">{t("of", { pages: formats.count(pages) })}</span>}
    </span>
  );
}
