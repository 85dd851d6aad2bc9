import { LineSwatch, Swatch } from "./series-colours";
import type { SpendBefore } from "./spend-chart";
import type { SpendColumn, SpendTable } from "./spend-table";

/** What the fills of the chart, and its line, stand for. */
export function SpendLegend({
  label,
  table,
  before,
  nameOf,
}: {
  /** Accessible name. */
  label: string;
  table: SpendTable;
  before?: SpendBefore | undefined;
  nameOf(column: SpendColumn): string;
}) {
  return (
    <ul aria-label={label} className="mt-4 flex flex-wrap gap-x-5 gap-y-1.5 text-xs text-ink-soft">
      {table.columns.map((column, place) => (
        <li key={column.id ?? String(column.isRest)} className="flex max-w-60 min-w-0 items-center gap-1.5">
          <Swatch place={place} isRest={column.isRest} />
          <bdi className="truncate">{nameOf(column)}</bdi>
        </li>
      ))}
      {before && (
        <li className="flex items-center gap-1.5">
          <LineSwatch />
          {before.label}
        </li>
      )}
    </ul>
  );
}
