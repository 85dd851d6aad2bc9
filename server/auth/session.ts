import type { Database } from "../db/client";
import { DatabaseNotReady } from "../db/failure";
import type { AccountId } from "./account-id";
import type { Caller, CallerSource } from "./caller";
import { cookiePrefix, isSecure, signedCookies } from "./cookies";
import { findSession, findWaitingAccount, touchSession } from "./queries";
import type { AuthSecrets } from "./secret";

/** How exact the time of the last use is, in milliseconds, so that few requests write it. */
const LAST_USE_STEP_MS = 60 * 60 * 1000;
/** The cookies besides that of the session that better-auth may read. One that lets a device skip the second factor is none. */
const PASSED_ON = ["state", "better-auth-passkey"];
/** The cookie that names the sign-in that waits for a second factor. */
const WAITING = "two_factor";
/** A browser has one session. A few more are tried, because a page of a neighbouring host can add a cookie. */
const MAX_TOKENS = 4;

function cookieName(name: string, origin: string): string {
  return `${cookiePrefix(isSecure(origin))}.${name}`;
}

/** The tokens in the session cookies of a browser that this deployment has signed. Usually one, or none. */
export function sessionTokens(cookies: string | undefined, origin: string, secrets: AuthSecrets): string[] {
  const name = cookieName("session_token", origin);
  const ours = signedCookies(cookies, origin, secrets).filter((cookie) => cookie.name === name);
  return [...new Set(ours.map(({ content }) => content))].slice(0, MAX_TOKENS);
}

/**
 * The caller behind the tokens of session cookies: the first one that is valid. `undefined` when each is unknown, revoked
 * or over. Every request asks the database, so that a revoked session ends at once.
 */
export async function recognizeSession(
  { db, isMigrated, sessionIdleDays }: CallerSource,
  tokens: readonly string[],
  address: string | null,
): Promise<Caller | undefined> {
  if (!isMigrated()) throw new DatabaseNotReady();
  const { session } = (await firstValid(db, tokens)) ?? {};
  if (session === undefined) return undefined;
  if (Date.now() - session.lastUsedAt.getTime() > LAST_USE_STEP_MS) {
    // The request does not wait. When the write fails, the next request tries again.
    touchSession(db, session.id, sessionIdleDays).catch(() => {});
  }
  return {
    accountId: session.accountId as AccountId,
    mayManage: true,
    actor: { kind: "browser", name: session.email, address },
    sessionId: session.id,
  };
}

/**
 * The `Cookie` header for better-auth, which reads the first cookie of a name. Only cookies that this deployment has signed
 * are passed on, one of each name, and of several sessions the one that is valid.
 * @param isSignedIn whether one of the sessions is valid. A waiting sign-in is not passed on beside it: if the session ended
 * meanwhile, better-auth would take a code for the waiting sign-in, and nobody would have counted it.
 */
export async function cookiesForSignIn(
  { db, secrets }: Pick<CallerSource, "db" | "secrets">,
  header: string | undefined,
  origin: string,
  isSignedIn: boolean,
): Promise<string> {
  const sessionName = cookieName("session_token", origin);
  const tokens = sessionTokens(header, origin, secrets);
  const token = tokens.length > 1 ? (await firstValid(db, tokens))?.token : tokens[0];
  const names = (isSignedIn ? PASSED_ON : [...PASSED_ON, WAITING]).map((name) => cookieName(name, origin));
  const passed = new Map<string, string>();
  for (const { name, signed, content } of signedCookies(header, origin, secrets)) {
    const isWanted = name === sessionName ? content === token : names.includes(name);
    if (isWanted && !passed.has(name)) passed.set(name, signed);
  }
  return [...passed].map(([name, signed]) => `${name}=${signed}`).join("; ");
}

/** The account of the sign-in that waits in this browser for a second factor. */
export async function waitingAccount(
  { db, secrets }: Pick<CallerSource, "db" | "secrets">,
  header: string | undefined,
  origin: string,
): Promise<string | undefined> {
  const name = cookieName(WAITING, origin);
  const waiting = signedCookies(header, origin, secrets).find((cookie) => cookie.name === name);
  return waiting && findWaitingAccount(db, waiting.content);
}

async function firstValid(db: Database, tokens: readonly string[]) {
  for (const token of tokens) {
    const session = await findSession(db, token);
    if (session !== undefined) return { token, session };
  }
  return undefined;
}
