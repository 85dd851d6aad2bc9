"use client";

import type { ReactNode } from "react";
import { Icon } from "./icon";

const ALIGN = { start: "text-left", end: "text-right tabular-nums whitespace-nowrap" };
const KEPT = "sticky right-0";

/** A table that scrolls inside its frame while its head stays visible. The arrow keys scroll it too. */
export function Table({
  label,
  head,
  children,
  isBusy = false,
}: {
  /** Accessible name, for example "API keys". */
  label: string;
  /** The cells of the head row. */
  head: ReactNode;
  /** The rows. */
  children: ReactNode;
  /** Newer rows are loading. */
  isBusy?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it names the part that scrolls, not a part of the page
    <div
      role="region"
      aria-label={label}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls
      tabIndex={0}
      // `contain` keeps a wide table from widening the page.
      className="max-h-[max(24rem,calc(100dvh-14rem))] relative overflow-auto [contain:inline-size] rounded-xl border border-line bg-raised"
    >
      <table
        aria-label={label}
        className={`w-full border-separate border-spacing-0 text-[13px] transition-opacity ${isBusy ? "opacity-60 delay-300" : ""}`}
      >
        <thead className="sticky top-0 z-10">
          <tr>{head}</tr>
        </thead>
        <tbody className="[&>tr:hover>*]:bg-[color-mix(in_oklab,var(--panel)_60%,var(--raised))] [&>tr:last-child>*]:border-b-0 [&>tr[aria-selected=true]>*]:bg-panel">
          {children}
        </tbody>
      </table>
    </div>
  );
}

/** A cell of the head row. With `onSort` it contains a button. `sorted` is the present order of the rows. */
export function HeadCell({
  children,
  align = "start",
  sorted,
  onSort,
  isNarrow = false,
  isKept = false,
}: {
  children: ReactNode;
  align?: keyof typeof ALIGN;
  sorted?: "ascending" | "descending" | undefined;
  onSort?: (() => void) | undefined;
  /** Only as wide as its content, for checkboxes and menus. */
  isNarrow?: boolean;
  /** Stays visible at the right edge while the table scrolls, for menus. */
  isKept?: boolean;
}) {
  return (
    <th
      scope="col"
      {...(onSort && { "aria-sort": sorted ?? "none" })}
      className={`h-10 border-b border-line bg-panel text-xs font-medium whitespace-nowrap text-ink-soft ${isNarrow ? "w-px px-2" : "px-3"} ${isKept ? KEPT : ""} ${ALIGN[align]}`}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={`inline-flex min-h-6 cursor-pointer items-center gap-1 rounded hover:text-ink ${sorted ? "text-ink" : ""} ${align === "end" ? "flex-row-reverse" : ""}`}
        >
          {children}
          <Icon
            name={sorted === "descending" ? "sort-down" : "sort-up"}
            className={`size-3.5 ${sorted ? "" : "opacity-30"}`}
          />
        </button>
      ) : (
        children
      )}
    </th>
  );
}

/** A cell of a row. `isHead` makes it the header of the row. */
export function Cell({
  children,
  align = "start",
  isHead = false,
  isNarrow = false,
  isKept = false,
  className = "",
}: {
  children?: ReactNode;
  align?: keyof typeof ALIGN;
  isHead?: boolean;
  isNarrow?: boolean;
  /** Stays visible at the right edge while the table scrolls, for menus. */
  isKept?: boolean;
  className?: string;
}) {
  const Tag = isHead ? "th" : "td";
  return (
    <Tag
      {...(isHead && { scope: "row" })}
      className={`h-12 border-b border-line py-1.5 font-normal ${isNarrow ? "w-px px-2 whitespace-nowrap" : "px-3"} ${isKept ? `${KEPT} bg-raised` : ""} ${ALIGN[align]} ${className}`}
    >
      {children}
    </Tag>
  );
}
