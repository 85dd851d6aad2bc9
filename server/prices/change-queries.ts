import { Prisma } from "@/prisma/generated/client";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { newObjectId } from "../input/new-object-id";
import type { Outcome } from "../outcome";
import type { Book } from "./book";
import { MAX_PRICES, type PriceChange } from "./schema";
import { fieldsOf, identityOf, isSame, type Tariff } from "./tariff";
import { type KeptTariff, rowOfTariff, type TariffRow, tariffColumns, tariffOfRow } from "./tariff-row";

/** What is to become of a catalogue. */
export interface CatalogueChange {
  /** Prices that are created, or replace those of their name and first day. */
  set: readonly Tariff[];
  /** Prices that are deleted, if they exist. */
  remove?: readonly Pick<Tariff, "name" | "validFrom">[];
  /** Also delete each price with this first day that is not set. */
  replaceFrom?: string | undefined;
}

/** Notes a change in a history, in the transaction of the change. It gets what is created, changed and deleted alone. */
export type Recording = (transaction: Transaction, changes: readonly PriceChange[]) => Promise<unknown>;

/**
 * Changes a catalogue, all or nothing, and raises its version where anything changes. Returns what becomes of each price, by
 * name; or that the catalogue would have too many.
 * @param isDryRun only says it.
 */
export function changeCatalogue(
  db: Pick<Database, "prisma">,
  book: Book,
  change: CatalogueChange,
  { isDryRun, record }: { isDryRun: boolean; record: Recording },
): Promise<Outcome<{ changes: PriceChange[] }, Failure>> {
  return db.prisma.$transaction(async (transaction) => {
    await book.lock(transaction);
    const { total, known } = await readKnown(transaction, book, change);
    const changes = compare(change, known, isDryRun);
    const grown = changes.filter((each) => each.change === "created").length;
    const shrunk = changes.filter((each) => each.change === "deleted").length;
    if (grown > 0 && total + grown - shrunk > MAX_PRICES)
      return { ok: false, reason: errors.tooManyPrices(MAX_PRICES) };
    const made = changes.filter((each) => each.change !== "unchanged");
    if (isDryRun || made.length === 0) return { ok: true, changes };
    await write(transaction, book, change, made);
    await book.raiseVersion(transaction);
    await record(transaction, made);
    return { ok: true, changes };
  });
}

async function readKnown(
  transaction: Transaction,
  book: Book,
  { set, remove = [], replaceFrom }: CatalogueChange,
): Promise<{ total: number; known: Map<string, KeptTariff> }> {
  const names = [...new Set([...set, ...remove].map(({ name }) => name))];
  const replaced = replaceFrom === undefined ? Prisma.empty : Prisma.sql`OR valid_from = ${replaceFrom}::date`;
  const counted = await transaction.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM ${book.table} WHERE ${book.isOfBook}`;
  const rows = await transaction.$queryRaw<TariffRow[]>`
    SELECT ${tariffColumns} FROM ${book.table} WHERE ${book.isOfBook} AND (name = ANY(${names}) ${replaced})`;
  const known = new Map(rows.map(tariffOfRow).map((tariff) => [identityOf(tariff), tariff]));
  return { total: counted[0]?.total ?? 0, known };
}

function compare(
  { set, remove = [], replaceFrom }: CatalogueChange,
  known: ReadonlyMap<string, KeptTariff>,
  isDryRun: boolean,
): PriceChange[] {
  const wanted = new Map(set.map((tariff) => [identityOf(tariff), tariff]));
  const changes = [...wanted].map(([identity, after]): PriceChange => {
    const before = known.get(identity);
    const change = before === undefined ? "created" : isSame(before, after) ? "unchanged" : "changed";
    const newId = isDryRun ? null : newObjectId();
    return describe(change, before?.id ?? newId, before, after);
  });
  const removed = new Set(remove.map(identityOf));
  for (const [identity, before] of known) {
    const isGone = removed.has(identity) || before.validFrom === replaceFrom;
    if (isGone && !wanted.has(identity)) changes.push(describe("deleted", before.id, before, undefined));
  }
  return changes.sort((a, b) => order(a.name, b.name) || order(a.valid_from, b.valid_from));
}

function describe(
  change: PriceChange["change"],
  id: string | null,
  before: Tariff | undefined,
  after: Tariff | undefined,
): PriceChange {
  const { name, validFrom } = (before ?? after) as Tariff;
  return {
    change,
    name,
    valid_from: validFrom,
    before: before ? fieldsOf(before) : null,
    after: after ? fieldsOf(after) : null,
    model_id: id,
  };
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

async function write(
  transaction: Transaction,
  book: Book,
  { set }: CatalogueChange,
  made: readonly PriceChange[],
): Promise<void> {
  const identity = (change: PriceChange) => identityOf({ name: change.name, validFrom: change.valid_from });
  const ids = new Map(made.map((change) => [identity(change), change.model_id]));
  const gone = made.filter((each) => each.change === "deleted").map((each) => each.model_id);
  if (gone.length > 0) {
    await transaction.$executeRaw`DELETE FROM ${book.table} WHERE ${book.isOfBook} AND id = ANY(${gone})`;
  }
  const rows = set
    .filter((tariff) => ids.has(identityOf(tariff)))
    .map((tariff) => rowOfTariff(tariff, ids.get(identityOf(tariff)) ?? newObjectId()));
  if (rows.length === 0) return;
  const columns = Prisma.raw(`id, name, aliases, currency, rate, input_price, output_price, cached_input_price,
    max_output_tokens, valid_from`);
  // The new row has the moment of the change. A distributed database lets no function stand in the part for known rows.
  await transaction.$executeRaw`
    INSERT INTO ${book.table} AS kept (${book.owner.columns} ${columns})
    SELECT ${book.owner.values} ${columns}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given(id text, name text, aliases text[], currency text,
      rate numeric, input_price numeric, output_price numeric, cached_input_price numeric, max_output_tokens int,
      valid_from date)
    ON CONFLICT (${book.owner.columns} name, valid_from) DO UPDATE SET aliases = EXCLUDED.aliases,
      currency = EXCLUDED.currency, rate = EXCLUDED.rate, input_price = EXCLUDED.input_price,
      output_price = EXCLUDED.output_price, cached_input_price = EXCLUDED.cached_input_price,
      max_output_tokens = EXCLUDED.max_output_tokens, updated_at = EXCLUDED.updated_at`;
}
