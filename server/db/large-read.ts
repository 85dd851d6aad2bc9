import type { Prisma } from "@/prisma/generated/client";
import type { Database, Transaction } from "./client";

/**
 * Runs a query that may read and sort a million rows, with the settings of `allowLargeRead` for this one.
 */
export async function readLarge<Result>(
  { prisma }: Pick<Database, "prisma">,
  query: Prisma.PrismaPromise<Result>,
): Promise<Result> {
  const [, result] = await prisma.$transaction([allowLargeRead(prisma), query]);
  return result;
}

/**
 * Prepares a transaction for reading and sorting a million rows: memory, because PostgreSQL would sort on disk with the
 * default of 4 MB, and the cost of a random page, because the default is that of rotating disks and leads to reading whole
 * tables.
 */
export function allowLargeRead(transaction: Transaction): Prisma.PrismaPromise<unknown> {
  return transaction.$queryRaw`
    SELECT set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true)`;
}
