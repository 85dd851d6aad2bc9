import type { Transaction } from "../db/client";

/** About how many keys there are in all, as PostgreSQL has last counted; 0 where it has not, or where others have the keys. */
export async function estimateKeys(db: Transaction): Promise<number> {
  const [table] = await db.$queryRaw<{ keys: number }[]>`
    SELECT GREATEST(reltuples, 0)::float8 AS keys FROM pg_class WHERE oid = 'api_key'::regclass`;
  return table?.keys ?? 0;
}
