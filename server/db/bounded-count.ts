import type { Prisma } from "@/prisma/generated/client";
import { COUNT_LIMIT } from "../input/page";
import type { Database } from "./client";
import { readLarge } from "./large-read";

/**
 * Counts rows, up to `COUNT_LIMIT`: a count of a million rows takes longer than the list that it stands above.
 * @param rows what follows `SELECT` without columns: `FROM … WHERE …`.
 */
export async function countUpToLimit(
  db: Pick<Database, "prisma">,
  rows: Prisma.Sql,
): Promise<{ total: number; isTotalExact: boolean }> {
  const [counted] = await readLarge(
    db,
    db.prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM (SELECT ${rows} LIMIT ${COUNT_LIMIT + 1}) AS counted`,
  );
  const count = counted?.count ?? 0;
  return { total: Math.min(count, COUNT_LIMIT), isTotalExact: count <= COUNT_LIMIT };
}
