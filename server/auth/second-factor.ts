import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { twoFactor } from "better-auth/plugins";
import type { Database } from "../db/client";
import { stepOfCode } from "./totp";

/** Path of better-auth at which the provider of a single sign-on sends the browser back. */
export const CALLBACK_PATH = "/callback/:id";

/**
 * better-auth's second factor, asked for after a password, and after a single sign-on unless the provider asks for one
 * itself.
 */
export function secondFactor(isAskedAfterSingleSignOn: boolean) {
  const plugin = twoFactor({ issuer: "Allowance" });
  if (isAskedAfterSingleSignOn) {
    for (const hook of plugin.hooks.after) {
      const { matcher } = hook;
      hook.matcher = (context) => matcher(context) || context.path === CALLBACK_PATH;
    }
  }
  return plugin;
}

/**
 * Makes a code of the authenticator app work once (RFC 6238, section 5.2): the account remembers the time step of the last
 * accepted code, and a code of this step or an earlier one is refused. One statement decides, whichever process asks.
 */
export function oneTimeCodes({ prisma }: Database): BetterAuthPlugin {
  const handler = createAuthMiddleware(async (ctx) => {
    const { code } = ctx.body ?? {};
    const userId = await accountAsked(ctx);
    if (typeof code !== "string" || userId === undefined) return;
    const factor = await prisma.twoFactor.findFirst({ where: { userId }, select: { id: true, secret: true } });
    if (factor === null) return;
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
    const step = stepOfCode(secret, code);
    // better-auth refuses a wrong code, and counts it.
    if (step === undefined) return;
    const isAccepted = await prisma.$executeRaw`
      UPDATE two_factor SET accepted_step = ${step}
      WHERE id = ${factor.id} AND coalesce(accepted_step, 0) < ${step}`;
    if (isAccepted === 0) return { context: { body: { ...ctx.body, code: "" } } };
  });
  return {
    id: "one-time-codes",
    hooks: { before: [{ matcher: ({ path }) => path === "/two-factor/verify-totp", handler }] },
  };
}

/** The account that a code is sent for: that of the session, or of the sign-in that waits for the code. */
async function accountAsked(ctx: Parameters<typeof getSessionFromCtx>[0]): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx);
  if (session) return session.user.id;
  const { name } = ctx.context.createAuthCookie("two_factor");
  const waiting = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!waiting) return undefined;
  return (await ctx.context.internalAdapter.findVerificationValue(waiting))?.value;
}
