"use client";

import type { ReactNode } from "react";
import { Icon } from "./icon";

// How a table looks stands in table.css.

type Align = "start" | "end";

/**
 * What a cell is in the card of its row, where `Table` has `isCards`. On a small screen, other cells do not show. `sort` is a head
 * that sorts, which stands beside the head of the names.
 */
type CardPart = "tick" | "name" | "chip" | "state" | "amount" | "menu" | "sort";

/** A table that scrolls inside its frame while its head stays visible. The arrow keys scroll it too. */
export function Table({
  label,
  head,
  children,
  isBusy = false,
  isCards = false,
}: {
  /** Accessible name, for example "API keys". */
  label: string;
  /** The cells of the head row. */
  head: ReactNode;
  /** The rows. */
  children: ReactNode;
  /** Newer rows are loading. */
  isBusy?: boolean;
  /** On a small screen each row is a card, of the cells with a `card`. */
  isCards?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it names the part that scrolls, not a part of the page
    <div
      role="region"
      aria-label={label}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls
      tabIndex={0}
      // `contain` keeps a wide table from widening the page. On paper, which browsers fill by making all of it smaller, the frame is as
      // wide as the table.
      className={`table-frame relative overflow-auto [contain:inline-size] rounded-xl border border-line bg-raised print:[contain:none] print:max-h-none print:w-fit print:min-w-full print:overflow-visible ${isCards ? "sm:max-h-[max(24rem,calc(100dvh-14rem))]" : "max-h-[max(24rem,calc(100dvh-14rem))]"}`}
    >
      <table
        aria-label={label}
        className={`data-table transition-opacity ${isCards ? "data-cards" : ""} ${isBusy ? "opacity-60 delay-300" : ""}`}
      >
        <thead className="sticky top-0 z-10 print:static">
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface CellProps {
  align?: Align;
  /** Only as wide as its content, for checkboxes and menus. */
  isNarrow?: boolean;
  /** Stays visible at the right edge while the table scrolls, for menus. */
  isKept?: boolean;
  card?: CardPart | undefined;
}

function marks({ align, isNarrow, isKept, card }: CellProps) {
  return {
    ...(align === "end" && { "data-align": "end" }),
    ...(isNarrow && { "data-narrow": "" }),
    ...(isKept && { "data-kept": "" }),
    ...(card && { "data-card": card }),
  };
}

/** A cell of the head row. With `onSort` it contains a button. `sorted` is the present order of the rows. */
export function HeadCell({
  children,
  sorted,
  onSort,
  ...place
}: CellProps & {
  children: ReactNode;
  sorted?: "ascending" | "descending" | undefined;
  onSort?: (() => void) | undefined;
}) {
  return (
    <th scope="col" {...(onSort && { "aria-sort": sorted ?? "none" })} {...marks(place)}>
      {onSort ? (
        <button
          type="button"
          onClick={(event) => {
            // Another order is read from its beginning.
            event.currentTarget.closest("[role=region]")?.scrollTo({ top: 0 });
            onSort();
          }}
          className={`inline-flex min-h-6 cursor-pointer items-center gap-1 rounded hover:text-ink ${sorted ? "text-ink" : ""} ${place.align === "end" ? (place.card === "sort" ? "sm:flex-row-reverse" : "flex-row-reverse") : ""}`}
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
  isHead = false,
  label,
  className,
  ...place
}: CellProps & {
  children?: ReactNode;
  isHead?: boolean;
  /** Stands above the content in a card, where the head of the column does not show. */
  label?: string;
  className?: string;
}) {
  const Tag = isHead ? "th" : "td";
  return (
    <Tag
      {...(isHead && { scope: "row" })}
      {...marks(place)}
      {...(label !== undefined && { "data-label": label })}
      className={className}
    >
      {children}
    </Tag>
  );
}
