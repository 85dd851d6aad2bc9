import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { recordKeyEvent } from "../history/recording";
import type { Outcome } from "../outcome";
import { isKept } from "./state";

/**
 * Gives a key that is not revoked one more valid value, and ends its older values after the time of grace, in one
 * transaction with its event. An older value that ends sooner by itself still does (docs/api.md#rotate-a-key).
 * @param graceSeconds 0 ends the older values at once.
 * @returns until when an older value works, in seconds since 1970; `null` when all have ended.
 */
export async function rotateSecret(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  { apikeyId, hash, graceSeconds }: { apikeyId: string; hash: Buffer; graceSeconds: number },
): Promise<Outcome<{ previousUntil: number | null }, Failure>> {
  return db.prisma.$transaction(async (transaction) => {
    const [key] = await transaction.$queryRaw<{ name: string }[]>`
      UPDATE api_key key SET version = version + 1
      WHERE account_id = ${accountId} AND id = ${apikeyId} AND ${Prisma.raw(isKept)} RETURNING name`;
    if (!key) return { ok: false, reason: errors.noSuchKey() };
    // The column holds whole milliseconds. Without cutting the rest off, PostgreSQL could round up, past the end.
    await transaction.$executeRaw`UPDATE key_secret
      SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => ${graceSeconds}))
      WHERE account_id = ${accountId} AND key_id = ${apikeyId}`;
    // The hash of a value that has ended is of no use any more.
    await transaction.$executeRaw`DELETE FROM key_secret
      WHERE account_id = ${accountId} AND key_id = ${apikeyId} AND expires_at <= now()`;
    const [left] = await transaction.$queryRaw<{ until: number | null }[]>`
      SELECT floor(extract(epoch FROM max(expires_at)))::float8 AS until FROM key_secret
      WHERE account_id = ${accountId} AND key_id = ${apikeyId}`;
    await transaction.keySecret.create({
      data: { hash: new Uint8Array(hash), accountId, keyId: apikeyId },
      select: { keyId: true },
    });
    const event = { action: "key.rotated", after: { grace_seconds: graceSeconds } } as const;
    await recordKeyEvent(transaction, accountId, actor, { id: apikeyId, name: key.name }, event);
    return { ok: true, previousUntil: left?.until ?? null };
  });
}
