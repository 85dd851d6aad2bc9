import type { Pool } from "pg";
import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";

// Triggers of the table of keys write each change of a count as a row of its own (docs/decisions/lists.md).

/**
 * How many keys of a group are not revoked. All counts of the account are read once, as one object, in which each group looks
 * its own up. A join would leave to PostgreSQL's statistics whether each group is compared with all counts.
 * @param groupId an expression of the id of a group.
 */
export function keyCountOf(accountId: AccountId, groupId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(((SELECT jsonb_object_agg(group_id, keys) FROM (
      SELECT group_id, sum(keys) AS keys FROM (${partsOf(accountId)}) AS part GROUP BY group_id
    ) AS counted) ->> ${groupId})::int, 0)`;
}

/**
 * The number of keys that are not revoked, of an account or of one group.
 * @param group the id of a group, or `''` for the keys in no group. Undefined: all keys.
 */
export async function countKeys(db: Transaction, accountId: AccountId, group: string | undefined): Promise<number> {
  const ofGroup = group === undefined ? Prisma.sql`true` : Prisma.sql`group_id = ${group}`;
  const rows = await db.$queryRaw<{ total: number }[]>`
    SELECT coalesce(sum(keys), 0)::int AS total FROM (${partsOf(accountId)}) AS part WHERE ${ofGroup}`;
  return rows[0]?.total ?? 0;
}

function partsOf(accountId: AccountId): Prisma.Sql {
  return Prisma.sql`SELECT group_id, keys FROM key_count WHERE account_id = ${accountId}
    UNION ALL SELECT group_id, keys FROM key_count_change WHERE account_id = ${accountId}`;
}

/**
 * Adds changes to the counts, at most 10,000 of each part of the accounts at a time. A reader gets the same numbers before
 * and after.
 * @returns how many changes there were.
 */
export async function addKeyCountChanges({
  pool,
  distribution,
}: Pick<Database, "pool" | "distribution">): Promise<number> {
  const { rows } = await pool.query<{ account_id: string }>(
    "SELECT DISTINCT account_id FROM key_count_change LIMIT 1000",
  );
  let count = 0;
  for (const accounts of distribution.partsOf(rows.map(({ account_id }) => account_id))) {
    count += await addChangesOf(pool, accounts);
  }
  return count;
}

async function addChangesOf(pool: Pool, accounts: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `WITH taken AS (
      DELETE FROM key_count_change change
      WHERE change.account_id = ANY($1) AND ctid = ANY (ARRAY(
        SELECT ctid FROM key_count_change one WHERE one.account_id = ANY($1) LIMIT 10000 FOR UPDATE SKIP LOCKED))
      RETURNING account_id, group_id, keys
    ), added AS (
      -- In the order of their keys, so that two processes cannot meet in a deadlock.
      INSERT INTO key_count AS total (account_id, group_id, keys)
      SELECT account_id, group_id, sum(keys) FROM taken GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (account_id, group_id) DO UPDATE SET keys = total.keys + EXCLUDED.keys
    )
    SELECT count(*)::int AS count FROM taken`,
    [accounts],
  );
  return rows[0]?.count ?? 0;
}
