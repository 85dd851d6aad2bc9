import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { LimitChanges } from "../limits/apply";
import { currentValue } from "../limits/columns";
import { BLOCKED_SHOWN, type PreviewOfLimits, VALUES_SHOWN } from "../limits/preview";
import { LIMIT_NAMES, type LimitName, WINDOWS } from "../limits/schema";
import { isOfStatus, usedOf } from "./selection";
import { currentDay, isRevoked } from "./state";

/** The keys that a preview is about. */
export type PreviewTarget = { groupId: string } | { apikeyIds: readonly string[] };

/** What writing these limits to the keys that are not revoked would do. Changes nothing. */
export async function previewLimits(
  db: Database,
  accountId: AccountId,
  target: PreviewTarget,
  changes: LimitChanges,
): Promise<PreviewOfLimits> {
  const keys = Prisma.sql`key.account_id = ${accountId} AND NOT ${Prisma.raw(isRevoked)} AND ${
    "groupId" in target ? Prisma.sql`key.group_id = ${target.groupId}` : Prisma.sql`key.id = ANY(${target.apikeyIds})`
  }`;
  const names = LIMIT_NAMES.filter((name) => changes[name] !== undefined);
  // One state of the database for all the figures, which are shown side by side.
  return db.prisma.$transaction(
    async (transaction) => {
      const [counted] = await transaction.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM api_key key WHERE ${keys}`;
      const described: PreviewOfLimits["changes"] = [];
      for (const name of names) {
        const after = changes[name] ?? null;
        const value = currentValue(name);
        const rows = await transaction.$queryRaw<ValueRow[]>`
          SELECT ${value} AS value, count(*)::int AS key_count, (count(*) OVER ())::int AS distinct_count,
            coalesce(sum(count(*)) FILTER (WHERE ${value} IS DISTINCT FROM ${sameType(name, after)}) OVER (), 0)::int
              AS changed_count
          FROM api_key key JOIN account ON account.id = key.account_id WHERE ${keys} GROUP BY ${value} ORDER BY 2 DESC, 1 LIMIT ${VALUES_SHOWN}`;
        described.push({
          parameter: name,
          before: rows.map(({ value, key_count }) => ({ value, key_count })),
          distinct_count: rows[0]?.distinct_count ?? 0,
          after,
          changed_count: rows[0]?.changed_count ?? 0,
        });
      }
      const blocked = await transaction.$queryRaw<{ apikey_id: string; name: string; count: number }[]>`
        SELECT key.id AS apikey_id, key.name, (count(*) OVER ())::int AS count
        FROM api_key key JOIN account ON account.id = key.account_id
        WHERE ${keys} AND ${isOfStatus("active")} AND ${wouldBlock(accountId, changes)} ORDER BY key.name, key.id LIMIT ${BLOCKED_SHOWN}`;
      return {
        key_count: counted?.count ?? 0,
        changes: described,
        blocked_count: blocked[0]?.count ?? 0,
        blocked: blocked.map(({ apikey_id, name }) => ({ apikey_id, name })),
      };
    },
    { isolationLevel: "RepeatableRead" },
  );
}

interface ValueRow {
  value: number | string | null;
  key_count: number;
  distinct_count: number;
  changed_count: number;
}

function sameType(name: LimitName, value: number | string | null): Prisma.Sql {
  return name === "expiry_date" ? Prisma.sql`${value}::text` : Prisma.sql`${String(value)}::float8`;
}

/** Whether a key that works now would be refused from this moment on, whatever it asks for. */
function wouldBlock(accountId: AccountId, changes: LimitChanges): Prisma.Sql {
  const conditions = [Prisma.sql`false`];
  const { expiry_date: expiryDate } = changes;
  if (typeof expiryDate === "string") conditions.push(Prisma.sql`${expiryDate}::date < ${Prisma.raw(currentDay)}`);
  for (const name of WINDOWS) {
    const limit = changes[name];
    if (limit) conditions.push(Prisma.sql`${usedOf(accountId, name)} >= ${String(limit)}::numeric`);
  }
  return Prisma.sql`(${Prisma.join(conditions, " OR ")})`;
}
