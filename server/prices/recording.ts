import type { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { Action } from "../history/action";
import type { Actor } from "../history/actor";
import { recordEvent } from "../history/recording";
import type { FoundPage, Page } from "../input/page";
import type { Recording } from "./change-queries";
import { type EventChange, FROM_EVER, type PriceChange, type PriceFields } from "./schema";
import { countsOf } from "./summary";

/**
 * Notes a change of an account's prices in its history. The event of one price says what of it changed, as other events do.
 * That of several says how many there are; `listEventModels` has them all.
 */
export function recordOfAccount(accountId: AccountId, actor: Actor, action: Action): Recording {
  return (transaction, changes) => {
    const [first] = changes;
    const values = changes.length === 1 && first ? valuesOf(first) : { before: {}, after: countsOfEvent(changes) };
    const prices = changes.map(({ model_id: _, ...change }) => change) as Prisma.InputJsonArray;
    return recordEvent(transaction, accountId, actor, { action, ...values, prices });
  };
}

function countsOfEvent(changes: readonly PriceChange[]): Prisma.InputJsonObject {
  const { unchanged_count: _, ...counts } = countsOf(changes);
  return { price_count: changes.length, ...counts };
}

/** The fields of one price that differ. Those in yuan follow from the others. */
function valuesOf({ name, valid_from, before, after }: PriceChange) {
  const differing = (fields: PriceFields | null, others: PriceFields | null): Prisma.InputJsonObject => {
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
