"use client";

import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import type { SpendColumn, SpendTable } from "./spend-table";

/** The figures of the chart as a table, with the sums in the last row. */
export function SpendFigures({
  label,
  table: { days, columns, totals, total },
  nameOf,
}: {
  /** Accessible name. */
  label: string;
  table: SpendTable;
  nameOf(column: SpendColumn): string;
}) {
  const t = useTranslations("spend");
  const formats = useFormats();
  const keyOf = ({ id, isRest }: SpendColumn) => id ?? String(isRest);
  return (
    <Table
      label={label}
      head={
        <>
          <HeadCell>{t("day")}</HeadCell>
          <HeadCell align="end">{t("total")}</HeadCell>
          {columns.map((column) => (
            <HeadCell key={keyOf(column)} align="end">
              <bdi className="inline-block max-w-40 truncate align-bottom">{nameOf(column)}</bdi>
            </HeadCell>
          ))}
        </>
      }
    >
      {days.map((day, index) => (
        <tr key={day}>
          <Cell isHead className="whitespace-nowrap">
            <time dateTime={day}>{formats.date(day)}</time>
          </Cell>
          <Cell align="end" className="font-medium">
            <Amount yuan={totals[index] ?? 0} />
          </Cell>
          {columns.map((column) => (
            <Cell key={keyOf(column)} align="end">
              <Amount yuan={column.spent[index] ?? 0} />
            </Cell>
          ))}
        </tr>
      ))}
      <tr className="font-medium">
        <Cell isHead>{t("total")}</Cell>
        <Cell align="end" className="font-medium">
          <Amount yuan={total} />
        </Cell>
        {columns.map((column) => (
          <Cell key={keyOf(column)} align="end" className="font-medium">
            <Amount yuan={column.total} />
          </Cell>
        ))}
      </tr>
    </Table>
  );
}
