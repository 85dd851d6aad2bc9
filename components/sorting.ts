/** The order of the rows of a table. */
export interface Sorting<Column extends string> {
  sort: Column;
  order: "asc" | "desc";
  onSort(sort: Column, order: "asc" | "desc"): void;
}

/**
 * What a head cell needs to sort by its column. Pressing the column that the rows are sorted by reverses the order.
 * @param firstOrder the order after the first press.
 */
export function sortingBy<Column extends string>(
  column: Column,
  { sort, order, onSort }: Sorting<Column>,
  firstOrder: "asc" | "desc",
) {
  if (sort !== column) return { sorted: undefined, onSort: () => onSort(column, firstOrder) };
  return order === "asc"
    ? { sorted: "ascending" as const, onSort: () => onSort(column, "desc") }
    : { sorted: "descending" as const, onSort: () => onSort(column, "asc") };
}
