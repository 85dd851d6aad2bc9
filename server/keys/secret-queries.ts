import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import { recordKeyEvent } from "../history/recording";
import type { Outcome } from "../outcome";
import { versionSeen } from "./selection";
import { isKept } from "./state";

/** Whether it is the default key of the account. */
export async function isDefaultKey({ prisma }: Database, accountId: AccountId, apikeyId: string): Promise<boolean> {
  const found = await prisma.apiKey.findFirst({
    where: { accountId, id: apikeyId, isDefault: true },
    select: { id: true },
  });
  return found !== null;
}

/** The id of the default key of an account, which always has one. */
export async function findDefaultKey({ prisma }: Database, accountId: AccountId): Promise<string> {
  const { id } = await prisma.apiKey.findFirstOrThrow({ where: { accountId, isDefault: true }, select: { id: true } });
  return id;
}

/** A key that is locked for its rotation. */
interface KeyToRotate {
  name: string;
  version: number;
  /** SHA-256 of the value; null: an older version wrote it elsewhere. */
  value_hash: Uint8Array<ArrayBuffer> | null;
}

/**
 * Gives a key that is not revoked another value, and ends the one before after the time of grace, in one transaction with
 * its event. A value of an earlier rotation ends at once, so that a key has at most two (docs/api.md#rotate-a-key).
 * @param version the version of the key that the rotation is based on. When the key has another by now, nothing is rotated.
 * @param presented SHA-256 of the value of this key that asks for it. Another rotation may have replaced it since it was
 * recognised; then it rotates nothing. Undefined: somebody else asks.
 * @param graceSeconds 0 ends the value before at once.
 * @returns until when the value before works, in seconds since 1970; `null` when it has ended.
 */
export async function rotateSecret(
  db: Database,
  accountId: AccountId,
  actor: Actor,
  {
    apikeyId,
    version,
    hash,
    presented,
    graceSeconds,
  }: {
    apikeyId: string;
    version?: number | undefined;
    hash: Buffer;
    presented?: Buffer | undefined;
    graceSeconds: number;
  },
): Promise<Outcome<{ previousUntil: number | null }, Failure>> {
  return db.prisma.$transaction(async (transaction) => {
    const [key] = await transaction.$queryRaw<KeyToRotate[]>`
      SELECT name, ${versionSeen(accountId)} AS version, value_hash FROM api_key key
      WHERE account_id = ${accountId} AND id = ${apikeyId} AND ${Prisma.raw(isKept)} FOR NO KEY UPDATE`;
    if (!key) return { ok: false, reason: errors.noSuchKey() };
    if (presented && !(key.value_hash && presented.equals(key.value_hash))) {
      const where = { accountId, keyId: apikeyId, hash: new Uint8Array(presented) };
      const earlier = await transaction.earlierValue.findFirst({ where, select: { expiresAt: true } });
      if (earlier === null) return { ok: false, reason: errors.invalidKey() };
      // One without an end is the newest: an older version wrote it.
      if (earlier.expiresAt !== null) return { ok: false, reason: errors.valueInGrace() };
    }
    if (version !== undefined && key.version !== version) return { ok: false, reason: errors.keyChangedMeanwhile() };
    const valueHash = new Uint8Array(hash);
    await transaction.apiKey.update({
      where: { accountId_id: { accountId, id: apikeyId } },
      data: { version: { increment: 1 }, valueHash },
      select: { id: true },
    });
    // The hash of a value that has ended is of no use any more. A value with an end is of an earlier rotation.
    await transaction.$executeRaw`DELETE FROM earlier_value
      WHERE account_id = ${accountId} AND key_id = ${apikeyId}
        AND (expires_at IS NOT NULL OR ${graceSeconds}::int = 0)`;
    if (key.value_hash && graceSeconds > 0) {
      await transaction.earlierValue.create({
        data: { hash: key.value_hash, accountId, keyId: apikeyId },
        select: { keyId: true },
      });
    }
    const [before] = await transaction.$queryRaw<{ until: Date }[]>`UPDATE earlier_value
      SET expires_at = now() + make_interval(secs => ${graceSeconds})
      WHERE account_id = ${accountId} AND key_id = ${apikeyId}
      RETURNING expires_at AS until`;
    await transaction.keyRoute.create({
      data: { hash: valueHash, accountId, keyId: apikeyId },
      select: { keyId: true },
    });
    const event = { action: "key.rotated", after: { grace_seconds: graceSeconds } } as const;
    await recordKeyEvent(transaction, accountId, actor, { id: apikeyId, name: key.name }, event);
    return { ok: true, previousUntil: before ? Math.floor(before.until.getTime() / 1000) : null };
  });
}
