"use client";

import Link from "next/link";
import { Amount } from "@/components/amount";
import { useFormats } from "@/components/use-formats";
import { Swatch } from "./series-colours";
import type { SpendColumn, SpendTable } from "./spend-table";

/** The groups or keys that spent most, each with its fill in the chart and its share of the total. */
export function SpendList({
  label,
  table,
  nameOf,
  pathOf,
}: {
  /** Accessible name. */
  label: string;
  table: SpendTable;
  nameOf(column: SpendColumn): string;
  /** The path of the column's own page; undefined if it has none. */
  pathOf(column: SpendColumn): string | undefined;
}) {
  const formats = useFormats();
  return (
    <ol aria-label={label} className="grid gap-x-10 text-[13px] lg:grid-cols-2">
      {table.columns.map((column, place) => {
        const path = pathOf(column);
        return (
          <li
            key={column.id ?? String(column.isRest)}
            className="grid grid-cols-[auto_1fr_auto_auto] items-center gap-x-2.5 border-b border-line py-2"
          >
            <Swatch place={place} isRest={column.isRest} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {path === undefined ? (
                <span className="text-ink-soft">{nameOf(column)}</span>
              ) : (
                <Link href={path} prefetch={false} className="underline-offset-4 hover:underline">
                  <bdi>{nameOf(column)}</bdi>
                </Link>
              )}
            </span>
            <span className="text-ink-soft tabular-nums">{formats.share(column.total / table.total)}</span>
            <span className="min-w-20 text-right font-medium tabular-nums">
              <Amount yuan={column.total} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
