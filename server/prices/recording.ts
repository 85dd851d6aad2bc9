import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import type { Action } from "../history/action";
import type { Actor } from "../history/actor";
import type { Values } from "../history/key-values";
import { recordPricesEvent } from "../history/recording";
import type { FoundPage, Page } from "../input/page";
import { changeAnswer, type TariffChange } from "./change-queries";
import { type EventChange, FROM_EVER, type PriceFields } from "./schema";
import { countsOf } from "./summary";
import { exactFieldsOf, type Tariff } from "./tariff";
import { type TariffRow, tariffOfRow } from "./tariff-row";

/**
 * Notes a change of an account's prices in its history. The event of one price says what of it changed, as other events do.
 * That of several says how many there are; `listEventModels` has them all. Returns the id of the event.
 * @param reverts the event that the change undoes.
 */
export function recordOfAccount(
  accountId: AccountId,
  actor: Actor,
  action: Action,
  reverts?: string,
): (transaction: Transaction, changes: readonly TariffChange[]) => Promise<string> {
  return (transaction, changes) => {
    const [first] = changes;
    const values = changes.length === 1 && first ? valuesOf(first) : { before: {}, after: countsOfEvent(changes) };
    const prices = `[${changes.map(exactChange).join(",")}]`;
    const models = changes.map(({ name }) => name);
    return recordPricesEvent(transaction, accountId, actor, { action, ...values, prices, models, reverts });
  };
}

/** The JSON text of one of the prices of an event. */
function exactChange({ change, name, validFrom, id, before, after }: TariffChange): string {
  const exact = (tariff: Tariff | undefined) => (tariff ? exactFieldsOf(tariff) : "null");
  const identity = JSON.stringify({ change, name, valid_from: validFrom, model_id: id });
  return `${identity.slice(0, -1)},"before":${exact(before)},"after":${exact(after)}}`;
}

function countsOfEvent(changes: readonly TariffChange[]): Values {
  const { unchanged_count: _, ...counts } = countsOf(changes);
  return { price_count: changes.length, ...counts };
}

/** The fields of one price that differ. Those in yuan follow from the others. */
function valuesOf(change: TariffChange): { before: Values; after: Values } {
  const { name, valid_from, before, after } = changeAnswer(change);
  const differing = (fields: PriceFields | null, others: PriceFields | null): Values => {
    const { prices: _, ...own } = fields ?? ({} as Partial<PriceFields>);
    return Object.fromEntries(
      Object.entries(own).filter(
        ([field, value]) =>
          others === null || JSON.stringify(value) !== JSON.stringify(others[field as keyof PriceFields]),
      ),
    );
  };
  const since = valid_from === FROM_EVER ? {} : { valid_from };
  return {
    before: differing(before, after),
    after: { price_count: 1, model: name, ...since, ...differing(after, before) },
  };
}

/** A page of the prices that one event of the account changed, by name. An unknown event has none. */
export async function listEventModels(
  { prisma }: Pick<Database, "prisma">,
  accountId: AccountId,
  eventId: string,
  { page, pageSize }: Page,
): Promise<FoundPage<EventChange>> {
  const rows = await prisma.$queryRaw<{ total: number; data: EventChange[] }[]>`
    SELECT jsonb_array_length(prices) AS total, coalesce((
        SELECT jsonb_agg(listed.change ORDER BY listed.place) FROM (
          SELECT change, place FROM jsonb_array_elements(prices) WITH ORDINALITY AS each(change, place)
          ORDER BY place LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
        ) AS listed
      ), '[]') AS data
    FROM event WHERE account_id = ${accountId} AND id = ${eventId} AND prices IS NOT NULL`;
  return rows[0] ?? { data: [], total: 0 };
}

/** One price of an event, before and after it, to the last digit. */
export interface RecordedTariff {
  name: string;
  validFrom: string;
  /** Null: an older version noted none. */
  id: string | null;
  before: Tariff | undefined;
  after: Tariff | undefined;
}

/** All prices that one event of the account changed. */
export async function readEventTariffs(
  transaction: Transaction,
  accountId: AccountId,
  eventId: string,
): Promise<RecordedTariff[]> {
  const rows = await transaction.$queryRaw<RecordedRow[]>`
    SELECT made ->> 'name' AS name, made ->> 'valid_from' AS valid_from, made ->> 'model_id' AS model_id,
      ${exactSide("before")}, ${exactSide("after")}
    FROM event CROSS JOIN LATERAL jsonb_array_elements(prices) WITH ORDINALITY AS each(made, place)
    WHERE account_id = ${accountId} AND id = ${eventId} ORDER BY place`;
  return rows.map(({ name, valid_from, model_id: id, before, after }) => {
    const tariff = (fields: RecordedFields | null) =>
      fields ? tariffOfRow({ ...fields, id: id ?? "", name, valid_from }) : undefined;
    return { name, validFrom: valid_from, id, before: tariff(before), after: tariff(after) };
  });
}

type RecordedFields = Omit<TariffRow, "id" | "name" | "valid_from">;

interface RecordedRow {
  name: string;
  valid_from: string;
  model_id: string | null;
  before: RecordedFields | null;
  after: RecordedFields | null;
}

/** The fields of a price, `null` where there was none. Amounts are text, which keeps their digits on the way here. */
function exactSide(side: "before" | "after"): Prisma.Sql {
  const of = Prisma.sql`(made -> ${Prisma.raw(`'${side}'`)})`;
  const amounts = ["rate", "input_price", "output_price", "cached_input_price"].map((name) => {
    const field = Prisma.raw(`'${name}'`);
    return Prisma.sql`${field}, ${of} ->> ${field}`;
  });
  return Prisma.sql`CASE WHEN jsonb_typeof(${of}) = 'object'
    THEN ${of} || jsonb_build_object(${Prisma.join(amounts)}) END AS ${Prisma.raw(side)}`;
}
