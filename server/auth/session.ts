import { createHmac, timingSafeEqual } from "node:crypto";
import { DatabaseNotReady } from "../db/failure";
import type { AccountId } from "./account-id";
import type { Caller, CallerSource } from "./caller";
import { findSession, touchSession } from "./queries";

/** The prefix of the names of all cookies. */
export const COOKIE_PREFIX = "allowance";
/** How long a browser stays signed in, in seconds: 30 days, used or not. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** How exact the time of the last use is, in milliseconds, so that not every request writes it. */
const LAST_USE_STEP_MS = 60_000;

/** The signed value of the session cookie that a browser has for this origin. */
export function sessionCookie(cookies: string | undefined, origin: string): string | undefined {
  const name = `${origin.startsWith("https:") ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token=`;
  const cookie = cookies
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(name));
  return cookie?.slice(name.length);
}

/**
 * The caller behind a session cookie. `undefined` when the cookie is not signed by this deployment, or when the session
 * is unknown, revoked or over. Every request asks the database, so that a revoked session ends at once.
 */
export async function recognizeSession(
  { db, isMigrated, secret }: CallerSource,
  cookie: string,
  address: string | null,
): Promise<Caller | undefined> {
  const token = signedToken(cookie, secret);
  if (token === undefined) return undefined;
  if (!isMigrated()) throw new DatabaseNotReady();
  const session = await findSession(db, token);
  if (session === undefined) return undefined;
  if (Date.now() - session.lastUsedAt.getTime() > LAST_USE_STEP_MS) await touchSession(db, session.id);
  return {
    accountId: session.accountId as AccountId,
    mayManage: true,
    actor: { kind: "browser", name: session.email, address },
    sessionId: session.id,
  };
}

/** better-auth's form of a signed cookie: the value, a dot, its HMAC-SHA-256 in base64, percent-encoded. */
function signedToken(cookie: string, secret: string): string | undefined {
  const [token = "", signature = ""] = decoded(cookie).split(".");
  const expected = createHmac("sha256", secret).update(token).digest();
  const given = Buffer.from(signature, "base64");
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

function decoded(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return "";
  }
}
