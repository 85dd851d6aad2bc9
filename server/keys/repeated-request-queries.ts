import { createHash } from "node:crypto";
import type { AccountId } from "../auth/account-id";
import type { Transaction } from "../db/client";
import type { KeyChange } from "./change-queries";

// A relative change that is sent twice would be made twice. So a caller may name a request, and the id of its event follows
// from the name: where the event is there, the change is made.

/** First half of the name of an advisory lock; the other is the request. */
const REQUEST_LOCK = 7_260_004;

/** The id of the event of a named request. A walk has the same name for each of its calls, so their places count too. */
export function eventIdOf(accountId: AccountId, requestId: string, after: string | undefined): string {
  const text = JSON.stringify([accountId, requestId, after ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** What a request has changed that is sent again. */
export interface MadeChange {
  /** Whether it was the same change. */
  isSame: boolean;
  keyCount: number;
  /** The last of the keys, by id. */
  lastKeyId: string;
}

/** The change of a named request. Undefined: nothing was changed. Call it first in the transaction: the same request waits. */
export async function changeMadeBy(
  transaction: Transaction,
  accountId: AccountId,
  eventId: string,
  { action, after = {} }: KeyChange,
): Promise<MadeChange | undefined> {
  await transaction.$executeRaw`SELECT FROM pg_advisory_xact_lock(${REQUEST_LOCK}::int, hashtext(${eventId}))`;
  const [event] = await transaction.$queryRaw<MadeChange[]>`
    SELECT action = ${action} AND after = ${JSON.stringify(after)}::jsonb AS "isSame", key_count AS "keyCount",
      GREATEST(
        (SELECT max(key_id) FROM event_key WHERE account_id = ${accountId} AND event_id = ${eventId}),
        (SELECT max(last_key_id) FROM event_key_chunk WHERE account_id = ${accountId} AND event_id = ${eventId})
      ) AS "lastKeyId"
    FROM event WHERE account_id = ${accountId} AND id = ${eventId}`;
  return event;
}
