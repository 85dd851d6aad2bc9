import type { Database } from "../db/client";
import { EXEMPTION, EXEMPTION_MS } from "./attempt-limits";

/** Longer than each window in which attempts are counted. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes expired sessions, expired short-lived values, and old counts of attempts. The clock of the database decides when a
 * session is over, the clock of a process when the others are.
 */
export async function deleteExpired({ prisma }: Database): Promise<void> {
  await prisma.$executeRaw`DELETE FROM session WHERE expires_at < now()`;
  await prisma.verification.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  const exemption = { startsWith: EXEMPTION };
  await prisma.rateLimit.deleteMany({ where: { lastRequest: { lt: Date.now() - DAY_MS }, NOT: { key: exemption } } });
  await prisma.rateLimit.deleteMany({ where: { lastRequest: { lt: Date.now() - EXEMPTION_MS }, key: exemption } });
}
