import { createHash } from "node:crypto";
import type { Database } from "../db/client";

/** The identifier of the set-up link among the short-lived values. */
export const IDENTIFIER = "set-up";

/** The row of a token that is good still. */
export function validToken(token: string) {
  return { identifier: IDENTIFIER, value: hashToken(token), expiresAt: { gt: new Date() } };
}

/** What the database keeps of a token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whether the token is that of a set-up link that is good still. */
export async function isSetUpToken({ prisma }: Pick<Database, "prisma">, token: string): Promise<boolean> {
  return (await prisma.verification.count({ where: validToken(token) })) > 0;
}
