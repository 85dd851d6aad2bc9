import { Prisma } from "../../prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { violatedConstraint } from "../db/failure";
import type { LimitChanges } from "../limits/apply";
import { fromLimitColumns, limitColumns, toLimitColumns } from "../limits/columns";
import type { Limits } from "../limits/schema";

const TRANSACTION_TIMEOUT_MS = 60_000;

/** A key that is about to exist. */
export interface NewKey {
  id: string;
  hash: Buffer;
  name: string;
  groupId: string | null;
  limits: Limits;
}

export type InsertOutcome = "inserted" | "id taken" | "no such group";

/**
 * Inserts a key and the hash of its value. The constraints decide whether the id is free and whether the group
 * exists in the account. One named prepared statement where Prisma would need a transaction of several:
 * `npm run bench` shows what that gains.
 */
export async function insertKey(db: Database, accountId: AccountId, key: NewKey): Promise<InsertOutcome> {
  const { budget, expiry_date, daily_limit, monthly_limit, input_price_limit, output_price_limit } = key.limits;
  try {
    await db.pool.query({
      name: "insert-key",
      text: `WITH key AS (
          INSERT INTO api_key (account_id, id, name, group_id, budget, expiry_date, daily_limit, monthly_limit,
            input_price_limit, output_price_limit)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
          RETURNING account_id, id
        )
        INSERT INTO key_secret (hash, account_id, key_id) SELECT $11, account_id, id FROM key`,
      values: [
        accountId,
        key.id,
        key.name,
        key.groupId,
        budget,
        expiry_date,
        daily_limit,
        monthly_limit,
        input_price_limit,
        output_price_limit,
        key.hash,
      ],
    });
    return "inserted";
  } catch (error) {
    switch (violatedConstraint(error)) {
      case "api_key_pkey":
        return "id taken";
      case "api_key_account_id_group_id_fkey":
        return "no such group";
      default:
        throw error;
    }
  }
}

/** Writes limits to one key that is not revoked. Returns all six as they stand then, undefined when there is no such key. */
export async function updateLimits(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  changes: LimitChanges,
): Promise<Limits | undefined> {
  try {
    const row = await db.prisma.apiKey.update({
      where: { accountId_id: { accountId, id: apikeyId }, revokedAt: null },
      data: toLimitColumns(changes),
      select: limitColumns,
    });
    return fromLimitColumns(row);
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2025") return undefined;
    throw error;
  }
}

/**
 * Writes limits to every key of a group that is not revoked, all or none, and returns how many there were. Holding the
 * group's row makes concurrent calls wait for each other instead of meeting in a deadlock.
 */
export async function updateLimitsOfGroup(
  db: Database,
  accountId: AccountId,
  groupId: string,
  changes: LimitChanges,
): Promise<number> {
  return db.prisma.$transaction(
    async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM api_key_group WHERE account_id = ${accountId} AND id = ${groupId} FOR NO KEY UPDATE`;
      const where = { accountId, groupId, revokedAt: null };
      const { count } = await transaction.apiKey.updateMany({ where, data: toLimitColumns(changes) });
      return count;
    },
    // Prisma's own 5 s are too short for a large group, or for waiting behind another call.
    { timeout: TRANSACTION_TIMEOUT_MS },
  );
}
