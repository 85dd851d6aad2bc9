import type { Prisma } from "@/prisma/generated/client";
import type { Database } from "./client";

/**
 * Runs a query that may read and sort a million rows, with settings for this one: memory, because PostgreSQL would sort on
 * disk with the default of 4 MB, and the cost of a random page, because the default is that of rotating disks and leads to
 * reading whole tables.
 */
export async function readLarge<Result>(
  { prisma }: Pick<Database, "prisma">,
  query: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const settings = prisma.$queryRaw`
    SELECT set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true)`;
  const [, result] = await prisma.$transaction([settings, query]);
  return result;
}
