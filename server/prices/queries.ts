import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { inCapitals } from "../db/search";
import type { FoundPage, Page } from "../input/page";
import { type Book, bookOf, OPERATORS_BOOK } from "./book";
import type { Catalogue, PriceState } from "./catalogue";
import { byCodePoint } from "./name-order";
import type { ModelPrice } from "./price-list";
import type { ModelEntry, ModelSort } from "./schema";
import { fieldsOf, type Tariff } from "./tariff";
import { type TariffRow, tariffColumns, tariffOfRow } from "./tariff-row";

/** Which prices are listed. */
export interface ModelFilter {
  /** A part of the name or of an alias, in any letter case. */
  search: string | undefined;
  /** The whole name or pattern. */
  name: string | undefined;
  source: ModelPrice["source"] | undefined;
  /** Only what counts on this day; "today" is that of the account. */
  day: string | undefined;
}

export interface ModelOrder {
  sort: ModelSort;
  order: "asc" | "desc";
}

/** A page of the prices that an account may see: its own, and those of the operator. */
export async function listModels(
  db: Database,
  accountId: AccountId,
  catalogue: Catalogue,
  { search, name, source, day }: ModelFilter,
  { sort, order }: ModelOrder,
  { page, pageSize }: Page,
): Promise<FoundPage<ModelEntry>> {
  const all = day === undefined ? catalogue.all() : catalogue.inForce(day === "today" ? catalogue.day : day);
  const text = search === undefined ? undefined : inCapitals(search);
  const found = all.filter(
    (price) =>
      (source === undefined || price.source === source) &&
      (name === undefined || price.name === name) &&
      (text === undefined || [price.name, ...price.aliases].some((each) => inCapitals(each).includes(text))),
  );
  sortBy(found, sort, order);
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  return { data: await readEntries(db, accountId, catalogue, shown), total: found.length };
}

/** A price of the account or of the operator; undefined when there is none with this id. */
export async function findModel(
  db: Database,
  accountId: AccountId,
  catalogue: Catalogue,
  id: string,
): Promise<ModelEntry | undefined> {
  const price = catalogue.all().find((each) => each.id === id);
  const [entry] = price ? await readEntries(db, accountId, catalogue, [price]) : [];
  return entry;
}

/** What the catalogue does not remember is read. A price that is deleted in this moment is left out. */
async function readEntries(
  { prisma }: Database,
  accountId: AccountId,
  catalogue: Catalogue,
  prices: readonly ModelPrice[],
): Promise<ModelEntry[]> {
  const read = (book: Book) => {
    const ids = prices.filter(({ source }) => source === book.source).map(({ id }) => id);
    return ids.length === 0
      ? []
      : prisma.$queryRaw<EntryRow[]>`
          SELECT ${tariffColumns}, floor(extract(epoch FROM updated_at))::float8 AS updated_at
          FROM ${book.table} WHERE ${book.isOfBook} AND id = ANY(${ids})`;
  };
  const [own, operators] = await Promise.all([read(bookOf(accountId)), read(OPERATORS_BOOK)]);
  const overriding = own.length > 0 ? catalogue.overriding() : new Set();
  const rows = { account: byId(own), operator: byId(operators) };
  return prices.flatMap((price) => {
    const row = rows[price.source].get(price.id);
    return row ? [entryOf(row, price.source, catalogue.stateOf(price), overriding.has(price))] : [];
  });
}

interface EntryRow extends TariffRow {
  updated_at: number;
}

function byId(rows: readonly EntryRow[]): Map<string, EntryRow> {
  return new Map(rows.map((row) => [row.id, row]));
}

function entryOf(
  row: EntryRow,
  source: ModelPrice["source"],
  state: PriceState,
  overrides_operator: boolean,
): ModelEntry {
  const { id, name, valid_from, updated_at } = row;
  return {
    model_id: id,
    name,
    source,
    ...fieldsOf(tariffOfRow(row)),
    valid_from,
    state,
    overrides_operator,
    updated_at,
  };
}

/** Sorts prices that are in the order of their names, which stays the order of those that are equal. */
function sortBy(prices: ModelPrice[], sort: ModelSort, order: ModelOrder["order"]): void {
  const sign = order === "asc" ? 1 : -1;
  const compare = <Value>(a: Value, b: Value) => (a === b ? 0 : a < b ? -sign : sign);
  switch (sort) {
    case "name":
      if (order === "desc") prices.sort((a, b) => byCodePoint(b.name, a.name));
      return;
    case "valid_from":
      prices.sort((a, b) => compare(a.validFrom, b.validFrom));
      return;
    case "max_output_tokens":
      // Unknown ones come last in either order.
      prices.sort(
        (a, b) =>
          Number(a.maxOutputTokens === null) - Number(b.maxOutputTokens === null) ||
          compare(a.maxOutputTokens ?? 0, b.maxOutputTokens ?? 0),
      );
      return;
    default: {
      const name = sort === "cached_input" ? "cachedInput" : sort;
      prices.sort((a, b) => compare(a.prices[name], b.prices[name]));
    }
  }
}

/** The prices that a book has under a name; all of them without one. By name, the first day first. */
export async function listTariffs(
  { prisma }: Pick<Database, "prisma">,
  book: Book,
  name: string | undefined,
): Promise<Tariff[]> {
  const rows = await prisma.$queryRaw<TariffRow[]>`
    SELECT ${tariffColumns} FROM ${book.table}
    WHERE ${book.isOfBook} AND (${name ?? null}::text IS NULL OR name = ${name ?? null})
    ORDER BY name COLLATE "C", valid_from`;
  return rows.map(tariffOfRow);
}
