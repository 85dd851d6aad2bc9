import { createHash } from "node:crypto";

/** What the database keeps of the token of a session: its SHA-256. So a copy of the database opens no session. */
export function hashSessionToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
