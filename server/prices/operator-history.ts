import { Prisma } from "@/prisma/generated/client";
import type { Database } from "../db/client";
import { nameContains } from "../db/search";
import { newObjectId } from "../input/new-object-id";
import type { FoundPage, Page } from "../input/page";
import { changeAnswer, type Recording, type TariffChange } from "./change-queries";
import type { OperatorChange } from "./schema";

/**
 * Notes changes of the operator's prices.
 * @param actorName the command.
 * @param osUser who ran it.
 */
export function recordOfOperator(actorName: string, osUser: string | null): Recording {
  return (transaction, changes) =>
    transaction.operatorPriceEvent.create({
      data: {
        id: newObjectId(),
        actorName,
        osUser,
        changes: changes.map(changeOf) as Prisma.InputJsonArray,
      },
      select: { id: true },
    });
}

function changeOf(change: TariffChange) {
  const { model_id: _, ...rest } = changeAnswer(change);
  return rest;
}

/** A change of the operator as the operator sees it. */
interface OwnChange extends OperatorChange {
  /** The user of the operating system who ran the command; null: not known, as of older changes. No account is told. */
  user: string | null;
}

/** A page of what the operator changed, newest first. */
export async function listOperatorChanges(
  { prisma }: Pick<Database, "prisma">,
  search: string | undefined,
  { page, pageSize }: Page,
): Promise<FoundPage<OwnChange>> {
  // The names of models are kept as they were sent, so their accents may not be composed as those of a search are.
  const isFound =
    search === undefined ? Prisma.sql`true` : nameContains(Prisma.sql`normalize(change.made ->> 'name')`, search);
  const found = Prisma.sql`FROM operator_price_event event
    CROSS JOIN LATERAL jsonb_array_elements(event.changes) WITH ORDINALITY AS change(made, place) WHERE ${isFound}`;
  const [counted, rows] = await Promise.all([
    prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${found}`,
    prisma.$queryRaw<OperatorChangeRow[]>`
      SELECT floor(extract(epoch FROM event.at))::float8 AS at, event.actor_name AS by, event.os_user AS "user", change.made ${found}
      ORDER BY event.at DESC, event.id DESC, change.place LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
  ]);
  return { data: rows.map(({ made, ...event }) => ({ ...event, ...made })), total: counted[0]?.total ?? 0 };
}

interface OperatorChangeRow extends Pick<OwnChange, "at" | "by" | "user"> {
  made: Omit<OwnChange, "at" | "by" | "user">;
}
