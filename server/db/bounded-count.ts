import type { Prisma } from "@/prisma/generated/client";
import { COUNT_LIMIT } from "../input/page";
import type { Database } from "./client";
import { readLarge } from "./large-read";

/**
 * Counts rows, up to a limit: a count of a million rows takes longer than the list that it stands above.
 * @param rows what follows `SELECT` without columns: `FROM … WHERE …`.
 */
export async function countUpToLimit(
  db: Pick<Database, "prisma">,
  rows: Prisma.Sql,
  limit = COUNT_LIMIT,
): Promise<{ total: number; isTotalExact: boolean }> {
  const [counted] = await readLarge(
    db,
    db.prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM (SELECT ${rows} LIMIT ${limit + 1}) AS counted`,
  );
  const count = counted?.count ?? 0;
  return { total: Math.min(count, limit), isTotalExact: count <= limit };
}
