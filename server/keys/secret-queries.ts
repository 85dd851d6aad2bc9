import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import type { Actor } from "../history/actor";
import { recordKeyEvent } from "../history/recording";

/**
 * Gives a key that is not revoked one more valid value, and ends those it has after the time of grace, in one
 * transaction with its event. A value that was to end sooner still does.
 * @param graceSeconds 0 ends the old values at once.
 * @returns until when the old value works, in seconds since 1970, null when it has ended; undefined when there is no
 *   such key.
 */
export async function rotateSecret(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  { apikeyId, hash, graceSeconds }: { apikeyId: string; hash: Buffer; graceSeconds: number },
): Promise<{ previousUntil: number | null } | undefined> {
  return db.prisma.$transaction(async (transaction) => {
    const [key] = await transaction.$queryRaw<{ name: string }[]>`
      UPDATE api_key SET version = version + 1
      WHERE account_id = ${accountId} AND id = ${apikeyId} AND revoked_at IS NULL RETURNING name`;
    if (!key) return undefined;
    // Whole milliseconds, which is what the column holds: rounded up, a value would outlive its end.
    await transaction.$executeRaw`UPDATE key_secret
      SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => ${graceSeconds}))
      WHERE account_id = ${accountId} AND key_id = ${apikeyId}`;
    // What has ended is of no more use: not even as a hash.
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
    return { previousUntil: left?.until ?? null };
  });
}
