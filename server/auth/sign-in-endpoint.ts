import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { TRPCError } from "@trpc/server";
import type { Logger } from "pino";
import type { OidcProvider } from "../config";
import { DatabaseNotReady } from "../db/failure";
import { failWith, type PublicError, publicError } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";
import { describeFaults } from "../input/expectation";
import { faultsOf } from "../input/fault";
import { withContexts } from "../promise-hooks";
import { attemptLimits, QUARTER_HOUR, secondFactorLimit } from "./attempt-limits";
import { countAttempt, noteSuccess } from "./attempts";
import type { BetterAuth } from "./better-auth";
import type { Caller, CallerSource } from "./caller";
import { isSecure } from "./cookies";
import { proofOfPasskey } from "./passkey-proof";
import { passwordRefusal } from "./password-refusal";
import { isProven } from "./proof";
import { noteProof } from "./queries";
import { type Visit, visitor } from "./recording";
import { refuseParameters } from "./refused-parameters";
import { emailAddress } from "./schema";
import { cookiesForSignIn, waitingAccount } from "./session";
import { SIGN_IN_FORMS } from "./sign-in-input";
import { SECOND_FACTORS, SignInRecording } from "./sign-in-recording";
import { networkOf, type Reach } from "./visitor";

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
  /** Called with the account that the request has signed in to. */
  onSignIn(accountId: string): void;
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
  reach: Reach;
}

/** The endpoints of better-auth that browsers may call. All others are answered with 404. */
export const OFFERED: ReadonlySet<string> = new Set([
  "POST /sign-in/email",
  "POST /sign-in/social",
  "POST /link-social",
  "GET /callback/oidc",
  "POST /sign-out",
  "POST /set-up",
  "POST /sign-up",
  "POST /change-password",
  "POST /prove/password",
  "POST /prove/passkey",
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

/** Parameters that the client does not choose. */
const FORCED = new Map([["/change-password", { revokeOtherSessions: true }]]);

/** What proves who the owner is, in a session that is there already. */
const PROOFS = new Set(["/prove/password", "/prove/passkey"]);
/** What has taken the right password of the session's account when it succeeds. */
const TAKES_PASSWORD = new Set([
  "/prove/password",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
]);
/** Changes of a way to sign in that do not ask for the password themselves. */
const NEEDS_PROOF = new Set(["/passkey/generate-register-options", "/passkey/verify-registration", "/link-social"]);

const SINGLE_SIGN_ON = new Set(["/sign-in/social", "/link-social", "/callback/oidc"]);
const PROVIDER_DEADLINE_MS = 15_000;

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
  const recording = new SignInRecording(options.db, log);

  /**
   * The instance of better-auth for a path. There are three at most, whatever hosts clients name: for http, for https, and
   * for single sign-on, so that a provider that does not answer delays no sign-in by password. `undefined` when the
   * provider cannot be reached.
   */
  async function instanceFor(path: string, isSecure: boolean): Promise<BetterAuth | undefined> {
    const oidc = SINGLE_SIGN_ON.has(path) ? options.oidc : undefined;
    const key = `${isSecure} ${oidc !== undefined}`;
    const origin = options.reach.publicUrl;
    const instance: Promise<BetterAuth> =
      instances.get(key) ??
      import("./better-auth").then(({ openBetterAuth }) => openBetterAuth({ ...options, origin, isSecure, oidc, log }));
    instances.set(key, instance);
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

  async function answer(auth: AuthRequest, visit: Visit): Promise<AuthFailure | undefined> {
    const { request, response, path, origin } = auth;
    if (!isOffered(request.method ?? "", path)) throw failWith(requestErrors.unknownPath());
    const isGet = request.method === "GET";
    const sent = isGet ? {} : await auth.body();
    refuseParameters(sent);
    const fault = SIGN_IN_FORMS.get(path)?.safeParse(isGet ? queryOf(request) : sent).error;
    if (fault) {
      return { ...requestErrors.invalidSignInInput(describeFaults(fault.issues)), faults: faultsOf(fault.issues) };
    }
    const body: Record<string, unknown> = { ...sent, ...FORCED.get(path) };
    if (!options.isMigrated()) throw new DatabaseNotReady();
    const caller = await auth.caller();
    visit.isSignedIn = caller !== undefined;
    visit.email = emailAddress.safeParse(body.email).data;
    const sender = { email: String(body.email), network: networkOf(auth.address), accountId: caller?.accountId };
    const limits = attemptLimits(path, sender);
    const wait = await countAttempt(options.db, limits);
    if (wait !== undefined) return tooManyAttempts(wait);
    if (path in SECOND_FACTORS && caller === undefined) {
      const accountId = await waitingAccount(options, request.headers.cookie, origin);
      if (accountId !== undefined) {
        // The history tells of a refusal here too, and better-auth finds no account then.
        visit.accountId = accountId;
        const ofFactor = secondFactorLimit(accountId);
        // better-auth locks for as long from the last wrong one on, so no shorter time is promised here.
        if ((await countAttempt(options.db, [ofFactor])) !== undefined) return tooManyAttempts(QUARTER_HOUR);
        limits.push(ofFactor);
      }
    }
    if (path === "/change-password" && typeof body.newPassword === "string" && caller !== undefined) {
      const refusal = await passwordRefusal("newPassword", body.newPassword, caller.actor.name);
      if (refusal) return refusal;
    }
    if (PROOFS.has(path) && caller?.sessionId === undefined) return requestErrors.signedOut();
    if (NEEDS_PROOF.has(path) && caller !== undefined && !(await isProven({ db: options.db, ...caller }))) {
      return requestErrors.proofRequired();
    }
    const instance = await instanceFor(path, isSecure(origin));
    if (instance === undefined) return requestErrors.providerAway();
    // It goes on when the deadline is over.
    const handled = withContexts(() => handle(instance, auth, body, caller));
    const answered = await (SINGLE_SIGN_ON.has(path) ? Promise.race([handled, deadline()]) : handled);
    if (answered === undefined) return requestErrors.providerAway();
    if (answered.status < 400) {
      // A redirect back from the provider may carry an error. No count depends on it: only the starts are counted.
      await noteSuccess(options.db, limits);
      const accountId = await recording.recordSuccess(visit);
      if (accountId !== undefined) auth.onSignIn(accountId);
      if (TAKES_PASSWORD.has(path) && caller?.sessionId !== undefined) {
        await noteProof(options.db, caller.accountId, caller.sessionId);
      }
      await send(response, answered, path);
      return undefined;
    }
    return failureOf(answered, path, visit, options);
  }

  async function handle(
    instance: BetterAuth,
    { request, path, origin }: AuthRequest,
    body: Record<string, unknown>,
    caller: Caller | undefined,
  ): Promise<Response> {
    const cookies = await cookiesForSignIn(options, request.headers.cookie, origin, caller !== undefined);
    if (path !== "/prove/passkey" || caller?.sessionId === undefined) {
      return instance.handle(webRequest(request, origin + request.url, body, cookies));
    }
    const signIn = webRequest(request, `${origin}/api/auth/passkey/verify-authentication`, body, cookies);
    const { accountId, sessionId } = caller;
    return proofOfPasskey(await instance.handle(signIn), options.db, { accountId, sessionId });
  }

  return async (auth) => {
    const visit: Visit = { address: auth.address, path: auth.path, isSignedIn: false };
    const failure = await visitor.run(visit, () =>
      answer(auth, visit).catch((cause: unknown) => {
        const error = cause instanceof TRPCError ? cause : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
        const shown = publicError(error);
        return shown.status >= 500 ? { ...shown, error } : shown;
      }),
    );
    if (failure) recording.noteRefusal(visit, failure.status);
    return failure;
  };
}

function deadline(): Promise<undefined> {
  return delay(PROVIDER_DEADLINE_MS, undefined, { ref: false });
}

function queryOf({ url = "" }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URL(url, "http://localhost").searchParams);
}

function webRequest(request: IncomingMessage, url: string, body: Record<string, unknown>, cookies: string): Request {
  const headers = new Headers(cookies === "" ? {} : { cookie: cookies });
  for (const name of ["content-type", "origin", "user-agent"]) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value.toString());
  }
  const method = request.method ?? "GET";
  return new Request(url, {
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

/** better-auth hides errors of the database: those that were noted, and others, which asking the database now shows. */
async function failureOf(
  answered: Response,
  path: string,
  { outage }: Visit,
  { db }: AuthOptions,
): Promise<AuthFailure> {
  if (answered.status >= 500) {
    if (outage !== undefined) throw outage;
    await db.pool.query("SELECT 1");
    // This answer of better-auth means that the passkey is wrong.
    if (path === "/passkey/verify-registration") return requestErrors.passkeyNotVerified();
    throw new Error(`better-auth answered ${answered.status}`);
  }
  if (answered.status === 429) return tooManyAttempts(QUARTER_HOUR);
  const { message, code, values, faults } = await answered.json().catch(() => ({}));
  return {
    status: answered.status,
    message: message ?? "the request was refused",
    code,
    values: values ?? {},
    ...(faults && { faults }),
  };
}

function tooManyAttempts(seconds: number): AuthFailure {
  return { ...requestErrors.tooManyAttempts(Math.ceil(seconds / 60)), retryAfter: seconds };
}
