import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { FoundPage, Page } from "../input/page";
import { type Book, bookOf, OPERATORS_BOOK } from "./book";
import type { Catalogue, PriceState } from "./catalogue";
import type { ModelPrice } from "./price-list";
import type { ModelEntry, OperatorChange } from "./schema";
import { fieldsOf } from "./tariff";
import { type TariffRow, tariffColumns, tariffOfRow } from "./tariff-row";

/** Which prices are listed. */
export interface ModelFilter {
  /** A part of the name or of an alias, in any letter case. */
  search: string | undefined;
  source: ModelPrice["source"] | undefined;
  /** Only what counts on this day; "today" is that of the account. */
  day: string | undefined;
}

/** A page of the prices that an account may see: its own, and those of the operator. */
export async function listModels(
  db: Database,
  accountId: AccountId,
  catalogue: Catalogue,
  { search, source, day }: ModelFilter,
  { page, pageSize }: Page,
): Promise<FoundPage<ModelEntry>> {
  const all = day === undefined ? catalogue.all() : catalogue.inForce(day === "today" ? catalogue.day : day);
  const text = search?.toLowerCase();
  const found = all.filter(
    (price) =>
      (source === undefined || price.source === source) &&
      (text === undefined || [price.name, ...price.aliases].some((name) => name.toLowerCase().includes(text))),
  );
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
  const rows = { account: byId(own), operator: byId(operators) };
  return prices.flatMap((price) => {
    const row = rows[price.source].get(price.id);
    return row ? [entryOf(row, price.source, catalogue.stateOf(price))] : [];
  });
}

interface EntryRow extends TariffRow {
  updated_at: number;
}

function byId(rows: readonly EntryRow[]): Map<string, EntryRow> {
  return new Map(rows.map((row) => [row.id, row]));
}

function entryOf(row: EntryRow, source: ModelPrice["source"], state: PriceState): ModelEntry {
  const { id, name, valid_from, updated_at } = row;
  return { model_id: id, name, source, ...fieldsOf(tariffOfRow(row)), valid_from, state, updated_at };
}

/** A page of what the operator changed, newest first. */
export async function listOperatorChanges(
  { prisma }: Database,
  search: string | undefined,
  { page, pageSize }: Page,
): Promise<FoundPage<OperatorChange>> {
  const isFound =
    search === undefined
      ? Prisma.sql`true`
      : Prisma.sql`position(lower(${search}) IN lower(change.made ->> 'name')) > 0`;
  const found = Prisma.sql`FROM operator_price_event event
    CROSS JOIN LATERAL jsonb_array_elements(event.changes) WITH ORDINALITY AS change(made, place) WHERE ${isFound}`;
  const [counted, rows] = await Promise.all([
    prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${found}`,
    prisma.$queryRaw<{ at: number; made: Omit<OperatorChange, "at"> }[]>`
      SELECT floor(extract(epoch FROM event.at))::float8 AS at, change.made ${found}
      ORDER BY event.at DESC, event.id DESC, change.place LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
  ]);
  return { data: rows.map(({ at, made }) => ({ at, ...made })), total: counted[0]?.total ?? 0 };
}
