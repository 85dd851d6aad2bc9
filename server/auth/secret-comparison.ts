import type { Logger } from "pino";
import type { Database } from "../db/client";
import { type AuthSecrets, versionOf } from "./secret";

const NAME = "auth-secret";
/** The row is no short-lived value. */
const NEVER = new Date("9999-12-31T00:00:00Z");

/**
 * Says in the log when the server that started last on this database had a secret that this one does not know: sessions of
 * one are then unknown to the other, and so are second factors. The database keeps only the number of the secret.
 */
export async function compareSecret({ prisma }: Database, secrets: AuthSecrets, log: Logger): Promise<void> {
  try {
    const value = String(versionOf(secrets.current));
    const known = [secrets.current, ...secrets.previous].map((secret) => String(versionOf(secret)));
    const row = { id: NAME, identifier: NAME, value, expiresAt: NEVER };
    const last = await prisma.verification.findUnique({ where: { id: NAME }, select: { value: true } });
    await prisma.verification.upsert({ where: { id: NAME }, create: row, update: { value } });
    if (last === null || known.includes(last.value)) return;
    log.error(
      "AUTH_SECRET is not that of the server that started last on this database: sessions and second factors of one are unknown to the other. Set the same AUTH_SECRET for each server, or the earlier one as AUTH_SECRET_PREVIOUS",
    );
  } catch (error) {
    log.warn({ err: error }, "AUTH_SECRET was not compared with that of other servers");
  }
}
