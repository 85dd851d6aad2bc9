import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { Page } from "../input/page";
import {
  isAboveCeiling,
  isDisabled,
  isExpired,
  isOpenHold,
  isRevoked,
  isValueValid,
  left,
  used,
  windows,
} from "../keys/state";
import { currentLimit } from "../limits/columns";
import { CEILING_NAMES, CEILINGS, type Ceiling, WINDOWS, type Window } from "../limits/schema";
import type { CheckedKey } from "./check";
import type { OpenAuthorization } from "./schema";
import type { Hold } from "./statements/hold";

/** How a check names a key: by the hash of a value that is still good, or by its id. */
export type CheckTarget = { hash: Buffer } | { apikeyId: string };

/**
 * What would decide on a call now. Amounts in yuan, prices in yuan per million tokens.
 * @param within the account whose keys count. Undefined: the keys of every account.
 * @returns undefined when there is no such key, or it is revoked.
 */
export async function findCheckedKey(
  db: Database,
  within: AccountId | undefined,
  target: CheckTarget,
  { amount, inputPrice, outputPrice }: Pick<Hold, "amount" | "inputPrice" | "outputPrice">,
): Promise<CheckedKey | undefined> {
  const rows = await db.prisma.$queryRaw<CheckedKey[]>`
    SELECT
      key.id AS apikey_id,
      NOT ${Prisma.raw(isDisabled)} AS is_enabled,
      NOT ${Prisma.raw(isExpired)} AS is_in_time,
      ${Prisma.raw(CEILING_NAMES.map((name) => `${checkedCeiling(name)} AS ${name}`).join(",\n      "))},
      ${Prisma.raw(WINDOWS.map((name) => `${checkedWindow(name)} AS ${name}`).join(",\n      "))}
    FROM api_key key
    JOIN account ON account.id = key.account_id
    CROSS JOIN (
      VALUES (${exact(amount)}::numeric, ${exact(inputPrice)}::numeric, ${exact(outputPrice)}::numeric)
    ) AS asked(amount, input_price, output_price)
    WHERE NOT ${Prisma.raw(isRevoked)}
      ${within === undefined ? Prisma.empty : Prisma.sql`AND key.account_id = ${within}`}
      AND ${
        "hash" in target
          ? Prisma.sql`(key.account_id, key.id) IN (
              SELECT account_id, key_id
              FROM key_secret secret
              WHERE hash = ${new Uint8Array(target.hash)} AND ${Prisma.raw(isValueValid)})`
          : Prisma.sql`key.id = ${target.apikeyId}`
      }`;
  return rows[0];
}

function checkedCeiling(name: Ceiling): string {
  return `jsonb_build_object(
        'limit', NULLIF(${currentLimit(name)}, 0)::float8,
        'spent', NULL,
        'held', NULL,
        'available', NULL,
        'needed', asked.${CEILINGS[name]}::float8,
        'passes', NOT ${isAboveCeiling(name)})`;
}

function checkedWindow(name: Window): string {
  const { limit, spent, held } = windows[name];
  return `jsonb_build_object(
        'limit', ${limit}::float8,
        'spent', ${spent}::float8,
        'held', ${held}::float8,
        'available', ${left(name)}::float8,
        'needed', (${used(name)} + asked.amount)::float8,
        'passes', (asked.amount > ${left(name)}) IS NOT TRUE)`;
}

// As text: PostgreSQL reads it exactly, where a number may lose its 17th digit on the way.
function exact(amount: number | undefined): string | null {
  return amount === undefined ? null : String(amount);
}

/** A page of the open authorizations of a key, newest first, and how many there are. */
export async function listOpen(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  { page, pageSize }: Page,
): Promise<{ data: OpenAuthorization[]; total: number }> {
  const open = Prisma.sql`account_id = ${accountId} AND key_id = ${apikeyId}
    AND ${Prisma.raw(isOpenHold("hold"))}`;
  const [counted, data] = await Promise.all([
    db.prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM "authorization" hold WHERE ${open}`,
    db.prisma.$queryRaw<OpenAuthorization[]>`
      SELECT account_id || id AS authorization_id, request_id, amount::float8 AS amount,
        floor(extract(epoch FROM created_at))::float8 AS created_at,
        floor(extract(epoch FROM expires_at))::float8 AS expires_at
      FROM "authorization" hold WHERE ${open} ORDER BY created_at DESC, id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
  ]);
  return { data, total: counted[0]?.total ?? 0 };
}
