import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { TRPCError } from "@trpc/server";
import type { Logger } from "pino";
import type { OidcProvider } from "../config";
import { DatabaseNotReady } from "../db/failure";
import { failWith, type PublicError, publicError } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";
import { type AttemptLimit, countAttempt, noteSuccess } from "./attempts";
import type { BetterAuth } from "./better-auth";
import type { Caller, CallerSource } from "./caller";
import { visitor } from "./recording";
import { networkOf } from "./visitor";

/** A request to sign in, to sign out, or to change how an account signs in. */
export interface AuthRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Path below `/api/auth`. */
  path: string;
  /** Reads the body, a JSON object. */
  body(): Promise<Record<string, unknown>>;
  /** Origin that the browser has in its address bar. */
  origin: string;
  address: string | null;
  /** The caller who is signed in already, if any. */
  caller(): Promise<Caller | undefined>;
}

/** An error. The caller of the endpoint writes it as the answer. */
export interface AuthFailure extends PublicError {
  /** In seconds. */
  retryAfter?: number;
  /** The unexpected error, for the log. */
  error?: unknown;
}

export interface AuthOptions extends CallerSource {
  keyPrefix: string;
  isSignUpOpen: boolean;
  oidc: OidcProvider | undefined;
}

/** The endpoints of better-auth that browsers may call. All others are answered with 404. */
const OFFERED = new Set([
  "POST /sign-in/email",
  "POST /sign-in/social",
  "GET /callback/oidc",
  "POST /sign-out",
  "POST /set-up",
  "POST /sign-up",
  "POST /change-password",
  "POST /two-factor/enable",
  "POST /two-factor/disable",
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
  "POST /two-factor/generate-backup-codes",
  "GET /passkey/generate-register-options",
  "POST /passkey/verify-registration",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-authentication",
]);

const SINGLE_SIGN_ON = new Set(["/sign-in/social", "/callback/oidc"]);
const PROVIDER_DEADLINE_MS = 15_000;
const QUARTER_HOUR = 15 * 60;
const MAX_ORIGINS = 16;

/**
 * Serves `/api/auth`. better-auth is loaded with the first request, because it would slow down the start, and a deployment
 * whose callers only use keys never needs it.
 * @returns a function that writes the answer itself, or returns the error that its caller writes.
 */
export function createSignInEndpoint(
  options: AuthOptions,
  log: Logger,
): (request: AuthRequest) => Promise<AuthFailure | undefined> {
  const instances = new Map<string, Promise<BetterAuth>>();

  /**
   * The instance of better-auth for an origin. Single sign-on has instances of its own, so that a provider that does
   * not answer delays no sign-in by password. `undefined` when the provider cannot be reached.
   */
  async function instanceFor(origin: string, path: string): Promise<BetterAuth | undefined> {
    const oidc = SINGLE_SIGN_ON.has(path) ? options.oidc : undefined;
    const key = `${origin} ${oidc !== undefined}`;
    const instance: Promise<BetterAuth> =
      instances.get(key) ??
      import("./better-auth").then(({ openBetterAuth }) => openBetterAuth({ ...options, origin, oidc, log }));
    instances.delete(key);
    instances.set(key, instance);
    // A client may send any host, so only the latest few are kept.
    for (const [oldest] of instances) if (instances.size > MAX_ORIGINS) instances.delete(oldest);
    const opened = await (oidc === undefined ? instance : Promise.race([instance, deadline()])).catch(
      (error: unknown) => {
        instances.delete(key);
        throw error;
      },
    );
    if (opened && (oidc === undefined || opened.knowsProvider)) return opened;
    // The next request tries again, because the provider may be back by then.
    instances.delete(key);
    return undefined;
  }

  function isOffered(method: string, path: string): boolean {
    if (!OFFERED.has(`${method} ${path}`)) return false;
    if (SINGLE_SIGN_ON.has(path)) return options.oidc !== undefined;
    return path !== "/sign-up" || options.isSignUpOpen;
  }

  async function answer(auth: AuthRequest): Promise<AuthFailure | undefined> {
    const { request, response, path, origin } = auth;
    if (!isOffered(request.method ?? "", path)) throw failWith(requestErrors.unknownPath());
    const body = request.method === "GET" ? {} : await auth.body();
    if (!options.isMigrated()) throw new DatabaseNotReady();
    const limits = limitsOf(path, String(body.email), networkOf(auth.address), await auth.caller());
    const wait = await countAttempt(options.db, limits);
    if (wait !== undefined) return tooManyAttempts(wait);
    const instance = await instanceFor(origin, path);
    if (instance === undefined) return requestErrors.providerAway();
    const handled = instance.handle(webRequest(request, origin, body));
    const answered = await (SINGLE_SIGN_ON.has(path) ? Promise.race([handled, deadline()]) : handled);
    if (answered === undefined) return requestErrors.providerAway();
    if (answered.status < 400) {
      // A redirect back from the provider may carry an error. No count depends on it: only the starts are counted.
      await noteSuccess(options.db, limits);
      await send(response, answered, path);
      return undefined;
    }
    return failureOf(answered, options);
  }

  return async (auth) =>
    visitor.run({ address: auth.address }, () =>
      answer(auth).catch((cause: unknown) => {
        const error = cause instanceof TRPCError ? cause : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
        // Only failures of the sign-in have a code, in better-auth's form. So the code of the catalogue is left out.
        const { code: _, ...shown } = publicError(error);
        return shown.status >= 500 ? { ...shown, error } : shown;
      }),
    );
}

/** The limits of attempts at a path. An unknown email is counted like that of an account. */
function limitsOf(path: string, email: string, network: string, caller: Caller | undefined): AttemptLimit[] {
  const byAddress = (what: string, max: number, success: AttemptLimit["success"], window = QUARTER_HOUR) => ({
    key: `${what} from ${network}`,
    max,
    window,
    success,
  });
  switch (path) {
    case "/sign-in/email":
      return [
        byAddress("sign-in", 30, "does not count"),
        { key: `sign-in as ${hashOf(email.trim().toLowerCase())}`, max: 10, window: QUARTER_HOUR, success: "clears" },
      ];
    case "/two-factor/verify-totp":
    case "/two-factor/verify-backup-code":
    case "/passkey/verify-authentication":
    case "/set-up":
      // better-auth itself counts wrong second factors of an account.
      return [byAddress("sign-in", 30, "does not count")];
    case "/sign-up":
      return [byAddress("sign-up", 10, "counts", 60 * 60)];
    case "/sign-in/social":
    case "/passkey/generate-authenticate-options":
      return [byAddress("start", 100, "counts")];
    case "/change-password":
    case "/two-factor/enable":
    case "/two-factor/disable":
    case "/two-factor/generate-backup-codes":
      return [{ key: `password of ${caller?.accountId ?? network}`, max: 10, window: QUARTER_HOUR, success: "clears" }];
    default:
      return [];
  }
}

function deadline(): Promise<undefined> {
  return delay(PROVIDER_DEADLINE_MS, undefined, { ref: false });
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function webRequest(request: IncomingMessage, origin: string, body: Record<string, unknown>): Request {
  const headers = new Headers();
  for (const name of ["content-type", "cookie", "origin", "user-agent"]) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value.toString());
  }
  const method = request.method ?? "GET";
  return new Request(origin + request.url, {
    method,
    headers,
    ...(method === "POST" && { body: JSON.stringify(body) }),
  });
}

/** Passes the answer of better-auth on, without the token of the session, which must be in the cookie alone. */
async function send(response: ServerResponse, answered: Response, path: string): Promise<void> {
  const cookies = answered.headers.getSetCookie();
  const location = answered.headers.get("location");
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
  if (location !== null) response.setHeader("Location", location);
  const answer = JSON.parse((await answered.text()) || "{}");
  const { token, session, user, ...rest } = answer;
  // The options of a passkey need their own `user`, and contain no session.
  const shown = path.startsWith("/passkey/generate-") ? answer : rest;
  response.writeHead(answered.status, { "Content-Type": "application/json" }).end(JSON.stringify(shown));
}

/** better-auth hides some errors of the database. Asking the database now shows whether that was the cause. */
async function failureOf(answered: Response, { db }: AuthOptions): Promise<AuthFailure> {
  if (answered.status >= 500) {
    await db.pool.query("SELECT 1");
    throw new Error(`better-auth answered ${answered.status}`);
  }
  if (answered.status === 429) return tooManyAttempts(QUARTER_HOUR);
  const { message, code } = await answered.json().catch(() => ({}));
  return { status: answered.status, message: message ?? "the request was refused", code, values: {} };
}

function tooManyAttempts(seconds: number): AuthFailure {
  return { ...requestErrors.tooManyAttempts(Math.ceil(seconds / 60)), retryAfter: seconds };
}
