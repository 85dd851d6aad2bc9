import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { run } from "../db/statement";
import type { Page } from "../input/page";
import { isOpenHold } from "../keys/state";
import type { Activity, ActivityKind, OpenAuthorization } from "./schema";
import { LIST_ACTIVITY } from "./statements/list-activity";

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

/** Which activity of a key is listed. */
export interface ActivityRange {
  /** Absent: every kind. */
  kind: ActivityKind | undefined;
  /** The id after which it begins. Absent: it begins with the newest. */
  after: string | undefined;
  /** For how many days it goes back. */
  days: number;
  pageSize: number;
}

/** After every ObjectId. */
const NEWEST = "g";

/** The calls of a key that are over, newest first, and the id after which the next ones begin; null after the last. */
export async function listActivity(
  { listPool }: Database,
  accountId: AccountId,
  apikeyId: string,
  { kind, after, days, pageSize }: ActivityRange,
): Promise<{ data: Activity[]; next: string | null }> {
  const rows = await run(listPool, LIST_ACTIVITY, [
    [accountId],
    apikeyId,
    kind ?? null,
    after ?? NEWEST,
    days,
    pageSize + 1,
  ]);
  const data = rows
    .slice(0, pageSize)
    .map((row) => ({ ...row, authorization_id: row.kind === "refused" ? null : accountId + row.id }));
  return { data, next: rows.length > pageSize ? (data.at(-1)?.id ?? null) : null };
}
