import { Prisma } from "@/prisma/generated/client";
import type { Database } from "../db/client";
import { newObjectId } from "../input/new-object-id";
import type { FoundPage, Page } from "../input/page";
import type { Recording } from "./change-queries";
import type { OperatorChange } from "./schema";

/**
 * Notes changes of the operator's prices.
 * @param actorName the command.
 */
export function recordOfOperator(actorName: string): Recording {
  return (transaction, changes) =>
    transaction.operatorPriceEvent.create({
      data: {
        id: newObjectId(),
        actorName,
        changes: changes.map(({ model_id: _, ...change }) => change) as Prisma.InputJsonArray,
      },
      select: { id: true },
    });
}

/** A page of what the operator changed, newest first. */
export async function listOperatorChanges(
  { prisma }: Pick<Database, "prisma">,
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
    prisma.$queryRaw<{ at: number; by: string; made: Omit<OperatorChange, "at" | "by"> }[]>`
      SELECT floor(extract(epoch FROM event.at))::float8 AS at, event.actor_name AS by, change.made ${found}
      ORDER BY event.at DESC, event.id DESC, change.place LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
  ]);
  return { data: rows.map(({ at, by, made }) => ({ at, by, ...made })), total: counted[0]?.total ?? 0 };
}
