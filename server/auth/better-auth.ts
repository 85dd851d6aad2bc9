import { passkey } from "@better-auth/passkey";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import { genericOAuth, twoFactor } from "better-auth/plugins";
import type { Logger } from "pino";
import { z } from "zod";
import type { OidcProvider } from "../config";
import type { Database } from "../db/client";
import type { Failure } from "../errors/failure";
import { requestErrors } from "../errors/request-errors";
import { describeFaults } from "../input/expectation";
import { newObjectId } from "../input/new-object-id";
import { AccountError, createAccount } from "./accounts";
import { recordingClient, visitor } from "./recording";
import { PASSWORD_LENGTH, setUpInput, signUpInput } from "./schema";
import { COOKIE_PREFIX, SESSION_SECONDS } from "./session";
import { claimSetUp, SetUpLinkInvalid } from "./set-up";

/** Path at which better-auth is served. */
const AUTH_PATH = "/api/auth";
/** The name of the single sign-on provider within better-auth. */
const OIDC_ID = "oidc";

export interface BetterAuthOptions {
  db: Database;
  /** Origin that the browser has in its address bar. */
  origin: string;
  secret: string;
  keyPrefix: string;
  isSignUpOpen: boolean;
  /** Absent: there is no single sign-on, or this instance does not serve it. */
  oidc: OidcProvider | undefined;
  log: Logger;
}

/** better-auth, set up for one origin. */
export interface BetterAuth {
  handle(request: Request): Promise<Response>;
  /** Whether the single sign-on provider has answered with its endpoints. */
  knowsProvider: boolean;
}

/** Sets better-auth up for one origin. With single sign-on it asks the provider for its endpoints. */
export async function openBetterAuth(options: BetterAuthOptions): Promise<BetterAuth> {
  const { db, origin, secret, keyPrefix, isSignUpOpen, oidc, log } = options;
  const auth = betterAuth({
    appName: "Allowance",
    baseURL: origin,
    basePath: AUTH_PATH,
    secret,
    database: prismaAdapter(recordingClient(db.prisma, keyPrefix), { provider: "postgresql" }),
    user: {
      modelName: "account",
      validateUserInfo: ({ user }) => {
        if (user.emailVerified !== true) return { error: "email_not_verified" };
      },
    },
    account: { modelName: "signInMethod", updateAccountOnSignIn: false },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({ data: { ...session, ipAddress: visitor.getStore()?.address ?? null } }),
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
    onAPIError: { errorURL: `${origin}/sign-in` },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // server/http.ts refuses requests from another site.
      disableCSRFCheck: true,
      useSecureCookies: origin.startsWith("https:"),
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
      twoFactor({ issuer: "Allowance" }),
      passkey({
        rpID: new URL(origin).hostname,
        rpName: "Allowance",
        origin,
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
      ...(oidc
        ? [
            genericOAuth({
              config: [
                {
                  providerId: OIDC_ID,
                  name: oidc.name,
                  discoveryUrl: `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: ["openid", "email", "profile"],
                  pkce: true,
                  disableSignUp: !isSignUpOpen,
                },
              ],
            }),
          ]
        : []),
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
        const { token, email, password } = parsed(setUpInput, ctx.body);
        const created = await worded(
          createAccount(db, { email, password, isProven: true, keyPrefix, by: by() }, (transaction) =>
            claimSetUp(transaction, token),
          ),
        );
        await signIn(ctx, created.account_id);
        return ctx.json(created);
      }),
      signUp: createAuthEndpoint("/sign-up", { method: "POST", body: z.unknown() }, async (ctx) => {
        const { email, password } = parsed(signUpInput, ctx.body);
        const created = await worded(createAccount(db, { email, password, isProven: false, keyPrefix, by: by() }));
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
  if (error) throw apiError(requestErrors.invalidSignInInput(describeFaults(error.issues)));
  return data as T;
}

async function worded<T>(creation: Promise<T>): Promise<T> {
  return creation.catch((error: unknown) => {
    if (error instanceof AccountError) {
      throw apiError(requestErrors.accountRefused(error.message));
    }
    if (error instanceof SetUpLinkInvalid) {
      throw apiError(requestErrors.setUpLinkInvalid());
    }
    throw error;
  });
}

/** A failure in the form that better-auth throws. */
function apiError({ status, message, code }: Failure): APIError {
  return new APIError(status as ConstructorParameters<typeof APIError>[0], { message, code });
}
