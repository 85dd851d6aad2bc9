"use client";

import { useTranslations } from "use-intl/react";
import { Amount } from "@/components/amount";
import { Cell, HeadCell, Table } from "@/components/table";
import { useFormats } from "@/components/use-formats";
import { sumExactly } from "@/components/yuan";
import type { SpendBefore } from "./spend-chart";
import type { SpendColumn, SpendTable } from "./spend-table";

/** The figures of the chart as a table, with the sums in the last row. */
export function SpendFigures({
  label,
  table: { days, columns, totals, total },
  before,
  nameOf,
}: {
  /** Accessible name. */
  label: string;
  table: SpendTable;
  before?: SpendBefore | undefined;
  nameOf(column: SpendColumn): string;
}) {
  const t = useTranslations("spend");
  const formats = useFormats();
  const keyOf = ({ id, isRest }: SpendColumn) => id ?? String(isRest);
  const totalBefore = before && sumExactly(before.totals);
  const ofTotals = formats.aligned([...totals, total]);
  const ofColumns = columns.map(({ spent, total }) => formats.aligned([...spent, total]));
  const ofBefore = formats.aligned(before && totalBefore !== undefined ? [...before.totals, totalBefore] : []);
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
          {before && <HeadCell align="end">{before.label}</HeadCell>}
        </>
      }
    >
      {days.map((day, index) => (
        <tr key={day}>
          <Cell isHead className="whitespace-nowrap">
            <time dateTime={day}>{formats.date(day)}</time>
          </Cell>
          <Cell align="end" className="font-medium">
            <Amount yuan={totals[index] ?? 0} written={ofTotals} />
          </Cell>
          {columns.map((column, place) => (
            <Cell key={keyOf(column)} align="end">
              <Amount yuan={column.spent[index] ?? 0} written={ofColumns[place]} />
            </Cell>
          ))}
          {before && (
            <Cell align="end">
              {before.days[index] && <Amount yuan={before.totals[index] ?? 0} written={ofBefore} />}
            </Cell>
          )}
        </tr>
      ))}
      <tr className="font-medium">
        <Cell isHead>{t("total")}</Cell>
        <Cell align="end" className="font-medium">
          <Amount yuan={total} written={ofTotals} />
        </Cell>
        {columns.map((column, place) => (
          <Cell key={keyOf(column)} align="end" className="font-medium">
            <Amount yuan={column.total} written={ofColumns[place]} />
          </Cell>
        ))}
        {totalBefore !== undefined && (
          <Cell align="end" className="font-medium">
            <Amount yuan={totalBefore} written={ofBefore} />
          </Cell>
        )}
      </tr>
    </Table>
  );
}
