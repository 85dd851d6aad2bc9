import { Prisma } from "../../prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { Group } from "./schema";

/** Inserts a group. Returns false when the account has one of that name: the constraint decides. */
export async function insertGroup(
  db: Database,
  accountId: AccountId,
  group: { id: string; name: string; description: string },
): Promise<boolean> {
  try {
    await db.prisma.apiKeyGroup.create({ data: { accountId, ...group }, select: { id: true } });
    return true;
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002") return false;
    throw error;
  }
}

/**
 * Every group of the account, newest first, with the number of its keys that are not revoked. Written in SQL because
 * Prisma's filtered count reads the keys of every account; prepared because programs poll it.
 */
export async function listGroups(db: Database, accountId: AccountId): Promise<Group[]> {
  const { rows } = await db.pool.query<Group>({
    name: "list-groups",
    text: `SELECT id, name, description,
        floor(extract(epoch FROM created_at))::float8 AS created_at,
        floor(extract(epoch FROM updated_at))::float8 AS updated_at,
        (SELECT count(*) FROM api_key key
          WHERE key.account_id = api_key_group.account_id AND key.group_id = api_key_group.id AND key.revoked_at IS NULL
        )::float8 AS apikey_count
      FROM api_key_group WHERE account_id = $1
      ORDER BY api_key_group.created_at DESC, id DESC`,
    values: [accountId],
  });
  return rows;
}
