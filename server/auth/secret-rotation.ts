import type { Logger } from "pino";
import type { Database } from "../db/client";
import { type AuthSecrets, versionOf } from "./secret";

const BATCH = 100;

/** The options of better-auth that name the secrets: what is new gets the first, and names its version. */
export function encryptionKeys({ current, previous }: AuthSecrets) {
  const secrets = [current, ...previous].map((value) => ({ version: versionOf(value), value }));
  // What was encrypted before there were versions names none. Then there was only one secret, the oldest.
  return { secrets, secret: previous.at(-1) ?? current };
}

/**
 * Encrypts second factors again that an earlier secret has encrypted, so that the earlier one can be dropped. It reads those
 * of all accounts once, and only while there are earlier secrets. What no secret can read stays as it is.
 */
export async function renewSecondFactors(
  db: Database,
  secrets: AuthSecrets,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  if (secrets.previous.length === 0) return;
  try {
    const renew = await reEncryption(secrets);
    const counts = { renewed: 0, unreadable: 0 };
    for (let after = ""; !signal.aborted; ) {
      const rows = await db.prisma.twoFactor.findMany({
        where: { id: { gt: after } },
        orderBy: { id: "asc" },
        take: BATCH,
        select: { id: true, secret: true, backupCodes: true },
      });
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      for (const { id, ...old } of rows) {
        const renewed = await renew(old);
        if (renewed === "unreadable") counts.unreadable++;
        // A backup code that was used meanwhile has changed the row. The next start encrypts it again.
        else if (renewed)
          counts.renewed += (await db.prisma.twoFactor.updateMany({ where: { id, ...old }, data: renewed })).count;
      }
    }
    if (counts.renewed + counts.unreadable > 0)
      log.info(counts, "second factors encrypted with the current AUTH_SECRET");
  } catch (error) {
    log.error({ err: error }, "second factors were not encrypted again; the next start does it");
  }
}

interface Encrypted {
  secret: string;
  backupCodes: string;
}

/** A function that encrypts with the current secret again. `undefined` when the current one has encrypted it already. */
async function reEncryption(
  secrets: AuthSecrets,
): Promise<(old: Encrypted) => Promise<Encrypted | "unreadable" | undefined>> {
  const { symmetricDecrypt, symmetricEncrypt } = await import("better-auth/crypto");
  const { secrets: versions, secret: legacySecret } = encryptionKeys(secrets);
  const currentVersion = versionOf(secrets.current);
  const keys = new Map(versions.map(({ version, value }) => [version, value]));
  const key = { keys, currentVersion, legacySecret };
  const isCurrent = (text: string) => text.startsWith(`$ba$${currentVersion}$`);
  const again = async (data: string) =>
    isCurrent(data) ? data : symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  return async ({ secret, backupCodes }) => {
    if (isCurrent(secret) && isCurrent(backupCodes)) return undefined;
    try {
      return { secret: await again(secret), backupCodes: await again(backupCodes) };
    } catch {
      return "unreadable";
    }
  };
}
