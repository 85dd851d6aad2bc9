import { Prisma } from "@/prisma/generated/client";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { newObjectId } from "../input/new-object-id";
import type { Outcome } from "../outcome";
import type { Book } from "./book";
import { byCodePoint } from "./name-order";
import { MAX_PRICES, type PriceChange } from "./schema";
import { fieldsOf, identityOf, isSame, isShownSame, type Tariff } from "./tariff";
import { type KeptTariff, rowOfTariff, type TariffRow, tariffColumns, tariffOfRow } from "./tariff-row";

interface TariffToSet extends Tariff {
  id?: string | undefined;
  /** The price that it was based on; null: there was none; undefined: it replaces any. */
  base?: Tariff | null | undefined;
}

/** What is to become of a catalogue. */
export interface CatalogueChange {
  /** Prices that are created, or replace those of their name and first day. A new one gets an id where it has none. */
  set: readonly TariffToSet[];
  /** Prices that are deleted, if they exist. One with an id only while it has this id: another one may be in its place by now. */
  remove?: readonly (Pick<Tariff, "name" | "validFrom"> & { id?: string })[];
  /** Also delete each price with this first day that is not set. */
  replaceFrom?: string | undefined;
}

/** What becomes of one price, to its last digit. */
export interface TariffChange {
  change: PriceChange["change"];
  name: string;
  /** YYYY-MM-DD. */
  validFrom: string;
  /** Null: of a new one that is not created. */
  id: string | null;
  before: Tariff | undefined;
  after: Tariff | undefined;
}

/** Notes a change in a history, in the transaction of the change. It gets what is created, changed and deleted alone. */
export type Recording = (transaction: Transaction, changes: readonly TariffChange[]) => Promise<unknown>;

/** How a catalogue is changed. */
interface ChangeOptions {
  /** Only says what would happen. */
  isDryRun: boolean;
  record: Recording;
}

/**
 * Changes a catalogue, all or nothing, and raises its version where anything changes. Returns what becomes of each price, by
 * name; or that the catalogue would have too many, or that a price is not any more what the change is based on.
 */
export function changeCatalogue(
  db: Pick<Database, "prisma">,
  book: Book,
  change: CatalogueChange,
  options: ChangeOptions,
): Promise<Outcome<{ changes: PriceChange[] }, Failure>> {
  return db.prisma.$transaction(async (transaction) => {
    await book.lock(transaction);
    const outcome = await changeLocked(transaction, book, change, options);
    return outcome.ok ? { ok: true, changes: outcome.changes.map(changeAnswer) } : outcome;
  });
}

/** The same in a transaction that has locked the catalogue. */
export async function changeLocked(
  transaction: Transaction,
  book: Book,
  change: CatalogueChange,
  { isDryRun, record }: ChangeOptions,
): Promise<Outcome<{ changes: TariffChange[] }, Failure>> {
  const { total, known } = await readKnown(transaction, book, change);
  const conflict = conflictOf(change, known);
  if (conflict) return { ok: false, reason: conflict };
  const changes = compare(change, known, isDryRun);
  const grown = changes.filter((each) => each.change === "created").length;
  const shrunk = changes.filter((each) => each.change === "deleted").length;
  if (grown > 0 && total + grown - shrunk > MAX_PRICES) return { ok: false, reason: errors.tooManyPrices(MAX_PRICES) };
  const made = changes.filter((each) => each.change !== "unchanged");
  if (isDryRun || made.length === 0) return { ok: true, changes };
  await write(transaction, book, made);
  await book.raiseVersion(transaction);
  await record(transaction, made);
  return { ok: true, changes };
}

/** What becomes of a price, as answers have it. */
export function changeAnswer({ change, name, validFrom, id, before, after }: TariffChange): PriceChange {
  return {
    change,
    name,
    valid_from: validFrom,
    before: before ? fieldsOf(before) : null,
    after: after ? fieldsOf(after) : null,
    model_id: id,
  };
}

async function readKnown(
  transaction: Transaction,
  book: Book,
  { set, remove = [], replaceFrom }: CatalogueChange,
): Promise<{ total: number; known: Map<string, KeptTariff> }> {
  const counted = await transaction.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM ${book.table} WHERE ${book.isOfBook}`;
  const names = [...set, ...remove].map(({ name }) => name);
  return { total: counted[0]?.total ?? 0, known: await readTariffs(transaction, book, names, replaceFrom) };
}

/**
 * The prices that a catalogue has under some names, by their identity.
 * @param validFrom also all that have this first day.
 */
export async function readTariffs(
  transaction: Transaction,
  book: Book,
  names: readonly string[],
  validFrom?: string,
): Promise<Map<string, KeptTariff>> {
  const ofDay = validFrom === undefined ? Prisma.empty : Prisma.sql`OR valid_from = ${validFrom}::date`;
  const rows = await transaction.$queryRaw<TariffRow[]>`
    SELECT ${tariffColumns} FROM ${book.table}
    WHERE ${book.isOfBook} AND (name = ANY(${[...new Set(names)]}) ${ofDay})`;
  return new Map(rows.map(tariffOfRow).map((tariff) => [identityOf(tariff), tariff]));
}

/** Why a price is not changed: it is neither what the change is based on nor what it is to become. */
function conflictOf({ set }: CatalogueChange, known: ReadonlyMap<string, KeptTariff>): Failure | undefined {
  for (const [place, wanted] of set.entries()) {
    const { base } = wanted;
    if (base === undefined) continue;
    const now = known.get(identityOf(wanted));
    const isAsExpected = now ? [base, wanted].some((each) => each && isShownSame(each, now)) : base === null;
    if (isAsExpected) continue;
    const parameter = `models[${place}].before`;
    return now ? errors.priceChangedMeanwhile(parameter) : errors.noSuchPrice(parameter);
  }
  return undefined;
}

function compare(
  { set, remove = [], replaceFrom }: CatalogueChange,
  known: ReadonlyMap<string, KeptTariff>,
  isDryRun: boolean,
): TariffChange[] {
  const wanted = new Map(set.map((tariff) => [identityOf(tariff), tariff]));
  const changes = [...wanted].map(([identity, after]): TariffChange => {
    const before = known.get(identity);
    const change = before === undefined ? "created" : isSame(before, after) ? "unchanged" : "changed";
    const newId = isDryRun ? null : (after.id ?? newObjectId());
    return { change, name: after.name, validFrom: after.validFrom, id: before?.id ?? newId, before, after };
  });
  const removed = new Map(remove.map((price) => [identityOf(price), price]));
  for (const [identity, before] of known) {
    const named = removed.get(identity);
    const isGone = (named && (named.id ?? before.id) === before.id) || before.validFrom === replaceFrom;
    if (!isGone || wanted.has(identity)) continue;
    const { name, validFrom, id } = before;
    changes.push({ change: "deleted", name, validFrom, id, before, after: undefined });
  }
  return changes.sort((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.validFrom, b.validFrom));
}

async function write(transaction: Transaction, book: Book, made: readonly TariffChange[]): Promise<void> {
  const gone = made.filter((each) => each.change === "deleted").map(({ id }) => id);
  if (gone.length > 0) {
    await transaction.$executeRaw`DELETE FROM ${book.table} WHERE ${book.isOfBook} AND id = ANY(${gone})`;
  }
  const rows = made.flatMap(({ after, id }) => (after ? [rowOfTariff(after, id ?? newObjectId())] : []));
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
