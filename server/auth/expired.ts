import type { Database } from "../db/client";
import { EXEMPTION, EXEMPTION_MS } from "./attempts";

/** Longer than each window in which attempts are counted. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes expired sessions, expired short-lived values, and old counts of attempts. */
export async function deleteExpired({ prisma }: Database): Promise<void> {
  const isOver = { expiresAt: { lt: new Date() } };
  await prisma.session.deleteMany({ where: isOver });
  await prisma.verification.deleteMany({ where: isOver });
  const exemption = { startsWith: EXEMPTION };
  await prisma.rateLimit.deleteMany({ where: { lastRequest: { lt: Date.now() - DAY_MS }, NOT: { key: exemption } } });
  await prisma.rateLimit.deleteMany({ where: { lastRequest: { lt: Date.now() - EXEMPTION_MS }, key: exemption } });
}
