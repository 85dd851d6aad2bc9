import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { Page } from "../input/page";
import { isOpenHold } from "../keys/state";
import type { OpenAuthorization } from "./schema";

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
      SELECT account_id || id AS authorization_id, request_id, gateway, amount::float8 AS amount, quote ->> 'model' AS model,
        (quote ->> 'input_tokens')::float8 AS input_tokens, (quote ->> 'max_output_tokens')::float8 AS max_output_tokens,
        floor(extract(epoch FROM created_at))::float8 AS created_at,
        floor(extract(epoch FROM expires_at))::float8 AS expires_at
      FROM "authorization" hold WHERE ${open} ORDER BY created_at DESC, id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
  ]);
  return { data, total: counted[0]?.total ?? 0 };
}
