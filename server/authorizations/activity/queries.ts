import type { AccountId } from "@/server/auth/account-id";
import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { LIST_ACTIVITY } from "../statements/list-activity";
import type { Activity, ActivityKind } from "./schema";

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
