import { passkey } from "@better-auth/passkey";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import type { BetterAuthOptions as BetterAuthSettings } from "better-auth/types";
import type { Logger } from "pino";
import { z } from "zod";
import type { OidcProvider } from "../config";
import type { Database } from "../db/client";
import { findTimeZone } from "../db/known-time-zone";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import { requestErrors } from "../errors/request-errors";
import { describeFaults } from "../input/expectation";
import { type Fault, faultsOf } from "../input/fault";
import { newObjectId } from "../input/new-object-id";
import { isAccountDisabled } from "./account-state";
import { AccountError, createAccount, EmailTaken } from "./accounts";
import { cookiePrefix } from "./cookies";
import { withHashedTokens } from "./hashed-tokens";
import { noteOutage, withNotedOutage } from "./noted-outage";
import { passwordProof } from "./password-proof";
import { recordingClient, visitor } from "./recording";
import { PASSWORD_LENGTH, setUpInput, signUpInput } from "./schema";
import { oneTimeCodes, secondFactor } from "./second-factor";
import type { AuthSecrets } from "./secret";
import { encryptionKeys } from "./secret-rotation";
import { idleEnd, SESSION_SECONDS } from "./session-end";
import { claimSetUp, requireSetUpToken, SetUpLinkInvalid } from "./set-up";
import { singleSignOn } from "./single-sign-on";

/** Path at which better-auth is served. */
const AUTH_PATH = "/api/auth";

export interface BetterAuthOptions {
  db: Database;
  /** Origin that the browser has in its address bar. Absent: that of each request. */
  origin: string | undefined;
  /** Whether cookies are sent over https alone. */
  isSecure: boolean;
  secrets: AuthSecrets;
  keyPrefix: string;
  isSignUpOpen: boolean;
  /** After how many days without use a session ends. */
  sessionIdleDays: number;
  /** Absent: there is no single sign-on, or this instance does not serve it. */
  oidc: OidcProvider | undefined;
  log: Logger;
}

/** better-auth, set up. */
export interface BetterAuth {
  handle(request: Request): Promise<Response>;
  /** Whether the single sign-on provider has answered with its endpoints. */
  knowsProvider: boolean;
}

/** Sets better-auth up. With single sign-on it asks the provider for its endpoints. */
export async function openBetterAuth(options: BetterAuthOptions): Promise<BetterAuth> {
  const { db, origin, isSecure, secrets, keyPrefix, isSignUpOpen, sessionIdleDays, oidc, log } = options;
  const adapter = prismaAdapter(recordingClient(db.prisma, keyPrefix), { provider: "postgresql" });
  const auth = betterAuth({
    appName: "Allowance",
    // server/http.ts makes the address of each request from the one that the browser has.
    baseURL: origin ?? { allowedHosts: ["*"], protocol: isSecure ? "https" : "http" },
    basePath: AUTH_PATH,
    ...encryptionKeys(secrets),
    database: (configured: BetterAuthSettings) => withHashedTokens(withNotedOutage(adapter(configured))),
    user: {
      modelName: "account",
      validateUserInfo: ({ user }) => {
        if (user.emailVerified !== true) return { error: "email_not_verified" };
      },
    },
    account: {
      modelName: "signInMethod",
      updateAccountOnSignIn: false,
      // An email alone opens no account that exists: its owner links the provider in the settings.
      accountLinking: { disableImplicitLinking: true },
    },
    // server/auth/proof.ts asks for a proof that is newer than better-auth's own rule wants it.
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, freshAge: 0 },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            const { address = null, path } = visitor.getStore() ?? {};
            // Whoever comes here has given the right password, passkey or identity. Nobody else learns of it.
            if (await isAccountDisabled(db, session.userId)) {
              const refused = requestErrors.accountDisabled();
              // A browser on its way back from the provider shows a page.
              if (path === "/callback/oidc" && context) {
                throw context.redirect(`/sign-in?error=${refused.code.toLowerCase()}`);
              }
              throw apiError(refused);
            }
            return { data: { ...session, ipAddress: address, expiresAt: idleEnd(sessionIdleDays) } };
          },
        },
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
    },
    // sign-in-endpoint.ts counts attempts, per address and per account.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { errorURL: `${origin ?? ""}/sign-in` },
    advanced: {
      cookiePrefix: cookiePrefix(isSecure),
      // server/http.ts refuses requests from another site.
      disableCSRFCheck: true,
      // The name says already that they are secure.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure },
      database: { generateId: newObjectId },
      ipAddress: { disableIpTracking: true },
    },
    logger: {
      level: "debug",
      log: (level, message, ...details) => {
        const error = details.find((detail) => detail instanceof Error);
        if (level === "error" && error) log.error({ err: error }, `sign-in: ${message}`);
        else log.debug(`sign-in: ${message}`);
      },
    },
    plugins: [
      secondFactor(oidc?.skipsSecondFactor === false),
      oneTimeCodes(db),
      passkey({
        // Without these, they are those of the request, whose origin server/http.ts has checked.
        ...(origin !== undefined && { rpID: new URL(origin).hostname, origin }),
        rpName: "Allowance",
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        authentication: {
          afterVerification: async ({ verification }) => {
            // A passkey stands for password and second factor together, so holding the device alone is not enough.
            if (!verification.authenticationInfo.userVerified) {
              throw apiError(requestErrors.passkeyUserNotVerified());
            }
          },
        },
      }),
      newAccounts(options),
      passwordProof(),
      ...(oidc ? singleSignOn(oidc, isSignUpOpen, db) : []),
    ],
  });
  const { socialProviders } = await auth.$context;
  return { handle: auth.handler, knowsProvider: socialProviders.length > 0 };
}

/** The two endpoints that create an account: the set-up link, and the sign-up where it is open. Both sign the owner in. */
function newAccounts({ db, keyPrefix }: BetterAuthOptions) {
  const by = () => ({ kind: "browser" as const, address: visitor.getStore()?.address ?? null });
  return {
    id: "new-accounts",
    endpoints: {
      setUp: createAuthEndpoint("/set-up", { method: "POST", body: z.unknown() }, async (ctx) => {
        const { token, email, password, ...settings } = parsed(setUpInput, ctx.body);
        await worded(requireSetUpToken(db, token));
        settings.time_zone = await knownZone(db, settings.time_zone);
        const created = await worded(
          createAccount(db, { email, password, settings, isProven: true, keyPrefix, by: by() }, (transaction) =>
            claimSetUp(transaction, token),
          ),
        );
        await signIn(ctx, created.account_id);
        return ctx.json(created);
      }),
      signUp: createAuthEndpoint("/sign-up", { method: "POST", body: z.unknown() }, async (ctx) => {
        const { email, password, ...settings } = parsed(signUpInput, ctx.body);
        settings.time_zone = await knownZone(db, settings.time_zone);
        const account = { email, password, settings, isProven: false, keyPrefix, by: by() };
        const created = await worded(createAccount(db, account).catch(refuseLikeWrongPassword));
        await signIn(ctx, created.account_id);
        return ctx.json(created);
      }),
    },
  };
}

type EndpointContext = Parameters<typeof setSessionCookie>[0];

async function signIn(ctx: EndpointContext, accountId: string): Promise<void> {
  const user = await ctx.context.internalAdapter.findUserById(accountId);
  const session = await ctx.context.internalAdapter.createSession(accountId);
  if (!user || !session) throw new APIError("INTERNAL_SERVER_ERROR");
  await setSessionCookie(ctx, { session, user });
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error) {
    throw apiError(requestErrors.invalidSignInInput(describeFaults(error.issues)), faultsOf(error.issues));
  }
  return data as T;
}

async function knownZone(db: Database, asked: string | undefined): Promise<string | undefined> {
  const zone = asked && (await findTimeZone(db.pool, asked));
  if (asked !== undefined && zone === undefined) throw apiError(errors.unknownTimeZone());
  return zone;
}

/** Answers the sign-up of an email that has an account like a wrong password, so that the answer names no email as taken. */
function refuseLikeWrongPassword(error: unknown): never {
  if (error instanceof EmailTaken) throw apiError(requestErrors.wrongCredentials());
  throw error;
}

async function worded<T>(creation: Promise<T>): Promise<T> {
  return creation.catch((error: unknown) => {
    if (error instanceof AccountError) {
      throw apiError(error.failure ?? requestErrors.accountRefused(error.message));
    }
    if (error instanceof SetUpLinkInvalid) {
      throw apiError(requestErrors.setUpLinkInvalid());
    }
    return noteOutage(error);
  });
}

/** A failure in the form that better-auth throws. */
function apiError({ status, message, code, values }: Failure, faults?: readonly Fault[]): APIError {
  const body = { message, code, values, ...(faults && { faults }) };
  return new APIError(status as ConstructorParameters<typeof APIError>[0], body);
}
