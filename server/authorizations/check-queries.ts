import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { held, heldThisMonth, heldToday, spentThisMonth, spentToday, today } from "../keys/spending";
import type { OpenAuthorization } from "./schema";

/** A key as a check looks at it: yuan, prices in yuan per million tokens. */
export interface CheckedKey {
  apikey_id: string;
  is_disabled: boolean;
  expiry_date: string | null;
  is_expired: boolean;
  input_price_limit: number | null;
  output_price_limit: number | null;
  budget: CheckedWindow;
  daily_limit: CheckedWindow;
  monthly_limit: CheckedWindow;
}

/** A limit of spend with what is spent and held of it; `needed` is the smallest limit that lets the amount pass. */
export interface CheckedWindow {
  limit: number | null;
  spent: number;
  held: number;
  available: number | null;
  needed: number;
  passes: boolean;
}

/** How a check names a key: by the hash of a value that is still good, or by its id. */
export type CheckTarget = { hash: Buffer } | { apikeyId: string };

/** What decides on an amount now. @param within the account whose keys count; undefined: every account's. */
export async function findCheckedKey(
  db: Database,
  within: AccountId | undefined,
  target: CheckTarget,
  amount: number,
): Promise<CheckedKey | undefined> {
  const asked = Prisma.sql`${String(amount)}::numeric`;
  const window = (limit: string, spent: Prisma.Sql, holds: Prisma.Sql) => {
    const bound = Prisma.sql`NULLIF(key.${Prisma.raw(limit)}, 0)`;
    return Prisma.sql`jsonb_build_object('limit', ${bound}::float8, 'spent', (${spent})::float8, 'held', (${holds})::float8,
      'available', (${bound} - ${spent} - ${holds})::float8, 'needed', (${spent} + ${holds} + ${asked})::float8,
      'passes', (${spent} + ${holds} + ${asked} > ${bound}) IS NOT TRUE)`;
  };
  const rows = await db.prisma.$queryRaw<CheckedKey[]>`
    SELECT key.id AS apikey_id, key.disabled_at IS NOT NULL AS is_disabled, key.expiry_date::text AS expiry_date,
      coalesce(key.expiry_date < GREATEST(key.day, ${today}), false) AS is_expired,
      NULLIF(key.input_price_limit, 0)::float8 AS input_price_limit,
      NULLIF(key.output_price_limit, 0)::float8 AS output_price_limit,
      ${window("budget", Prisma.sql`key.spent`, held)} AS budget,
      ${window("daily_limit", spentToday, heldToday)} AS daily_limit,
      ${window("monthly_limit", spentThisMonth, heldThisMonth)} AS monthly_limit
    FROM api_key key JOIN account ON account.id = key.account_id
    WHERE key.revoked_at IS NULL ${within === undefined ? Prisma.empty : Prisma.sql`AND key.account_id = ${within}`}
      AND ${
        "hash" in target
          ? Prisma.sql`(key.account_id, key.id) IN (SELECT account_id, key_id FROM key_secret
              WHERE hash = ${new Uint8Array(target.hash)} AND (expires_at IS NULL OR expires_at > now()))`
          : Prisma.sql`key.id = ${target.apikeyId}`
      }`;
  return rows[0];
}

/** A page of the open authorizations of a key, newest first, and how many there are. */
export async function listOpen(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ data: OpenAuthorization[]; total: number }> {
  const open = Prisma.sql`account_id = ${accountId} AND key_id = ${apikeyId} AND state = 'held' AND expires_at > now()`;
  const [counted, data] = await Promise.all([
    db.prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM "authorization" WHERE ${open}`,
    db.prisma.$queryRaw<OpenAuthorization[]>`
      SELECT account_id || id AS authorization_id, request_id, amount::float8 AS amount,
        floor(extract(epoch FROM created_at))::float8 AS created_at,
        floor(extract(epoch FROM expires_at))::float8 AS expires_at
      FROM "authorization" WHERE ${open} ORDER BY created_at DESC, id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
  ]);
  return { data, total: counted[0]?.total ?? 0 };
}
