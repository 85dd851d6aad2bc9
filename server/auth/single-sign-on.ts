import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { genericOAuth } from "better-auth/plugins";
import { z } from "zod";
import type { OidcProvider } from "../config";
import type { Database } from "../db/client";
import { requestErrors } from "../errors/request-errors";
import { CALLBACK_PATH } from "./second-factor";

/** The name of the single sign-on provider within better-auth. */
const OIDC_ID = "oidc";

/** What better-auth keeps of a single sign-on that is under way, as far as it is read here. */
const stateOfSignOn = z.object({
  errorURL: z.string().optional(),
  link: z.object({ userId: z.string() }).optional(),
});

/** The plugins for single sign-on with one provider. */
export function singleSignOn(oidc: OidcProvider, isSignUpOpen: boolean, db: Database): BetterAuthPlugin[] {
  const provider = {
    providerId: OIDC_ID,
    name: oidc.name,
    discoveryUrl: `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    scopes: ["openid", "email", "profile"],
    pkce: true,
    disableSignUp: !isSignUpOpen,
  };
  return [genericOAuth({ config: [provider] }), linking(db)];
}

/**
 * The rules for linking an account to the provider: who links is signed in, at the beginning and at the end, and an account
 * has one identity at the provider. After a single sign-on it leads to the page that asks for the second factor.
 */
function linking({ prisma }: Database): BetterAuthPlugin {
  const isLinked = async (userId: string) =>
    (await prisma.signInMethod.count({ where: { userId, providerId: OIDC_ID } })) > 0;

  const begin = createAuthMiddleware(async (ctx) => {
    const session = await getSessionFromCtx(ctx);
    // better-auth refuses who is not signed in.
    if (!session || !(await isLinked(session.user.id))) return;
    const { message, code } = requestErrors.alreadyLinked();
    throw new APIError("CONFLICT", { message, code });
  });

  const finish = createAuthMiddleware(async (ctx) => {
    const kept = await ctx.context.internalAdapter.findVerificationValue(String(ctx.query?.state));
    const { link, errorURL = "/settings" } = parsedState(kept?.value);
    if (link === undefined) return;
    const refuse = (error: string) => ctx.redirect(`${errorURL}${errorURL.includes("?") ? "&" : "?"}error=${error}`);
    const session = await getSessionFromCtx(ctx);
    if (session?.user.id !== link.userId) throw refuse("session_ended");
    if (await isLinked(link.userId)) throw refuse("already_linked");
  });

  const askForCode = createAuthMiddleware(async (ctx) => {
    const { returned, responseHeaders } = ctx.context;
    if (typeof returned !== "object" || returned === null || !("twoFactorRedirect" in returned)) return;
    const next = responseHeaders?.get("location") ?? "/";
    throw ctx.redirect(`/sign-in?${new URLSearchParams({ step: "second-factor", next })}`);
  });

  return {
    id: "linking",
    hooks: {
      before: [
        { matcher: ({ path }) => path === "/link-social", handler: begin },
        { matcher: ({ path }) => path === CALLBACK_PATH, handler: finish },
      ],
      after: [{ matcher: ({ path }) => path === CALLBACK_PATH, handler: askForCode }],
    },
  };
}

function parsedState(value: string | undefined): z.infer<typeof stateOfSignOn> {
  try {
    return stateOfSignOn.parse(JSON.parse(value ?? "{}"));
  } catch {
    return {};
  }
}
