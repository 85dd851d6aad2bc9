import { z } from "zod";
import { requireProof } from "../auth/proof";
import { isSetUpToken } from "../auth/set-up-token";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { expected } from "../input/expectation";
import { accountProcedure, publicProcedure, router, sessionProcedure } from "../trpc";
import { accountEndpoints } from "./endpoints";
import {
  findAccount,
  findFirstSteps,
  findSignInMethods,
  listSessions,
  removePasskey,
  renamePasskey,
  revokeSessions,
  unlinkSingleSignOn,
  updateSettings,
} from "./queries";
import {
  type Account,
  account,
  accountSettings,
  firstSteps,
  passkeyName,
  passkeyReference,
  session,
  sessionReference,
  signInMethods,
} from "./schema";

const nothing = z.object({ success: z.literal(true) });
const DONE = { success: true } as const;

export const accountsRouter = router({
  /** The account of the caller. */
  me: accountProcedure
    .meta(accountEndpoints.me)
    .output(account)
    .query(async ({ ctx }) => withGateway(await findAccount(ctx.db, ctx.accountId), ctx)),

  /** What a new account does first, and which of it is done. */
  firstSteps: accountProcedure
    .meta(accountEndpoints.firstSteps)
    .output(firstSteps)
    .query(async ({ ctx }) => {
      const steps = await findFirstSteps(ctx.db, ctx.accountId);
      return { ...steps, gateway: steps.gateway || ctx.gatewayUrl !== undefined };
    }),

  /** Changes settings of the account. An omitted one stays. */
  updateSettings: accountProcedure
    .meta(accountEndpoints.updateSettings)
    .input(accountSettings)
    .output(account)
    .mutation(async ({ ctx, input }) => {
      const { time_zone: timeZone, language, gateway_url: gatewayUrl } = input;
      const updated = await updateSettings(ctx.db, ctx.accountId, ctx.actor, { timeZone, language, gatewayUrl });
      if (!updated.ok) throw failWith(updated.reason);
      return withGateway(updated.account, ctx);
    }),

  /** Whether a set-up link is good. Its token is not guessed, so that the answer helps nobody else. */
  setUpLink: publicProcedure
    .input(z.object({ token: z.string({ error: expected("string") }) }))
    .output(z.object({ is_valid: z.boolean() }))
    .query(async ({ ctx, input }) => ({ is_valid: await isSetUpToken(ctx.db, input.token) })),

  /** What the sign-in page offers. */
  signInOptions: publicProcedure.query(({ ctx }) => ctx.signInOptions),

  /** How the account signs in: password, second factor, passkeys, single sign-on. */
  signInMethods: sessionProcedure.output(signInMethods).query(({ ctx }) => findSignInMethods(ctx.db, ctx.accountId)),

  /** The browsers that are signed in. */
  sessions: sessionProcedure
    .output(z.array(session))
    .query(({ ctx }) => listSessions(ctx.db, ctx.accountId, ctx.sessionId)),

  /** Signs another browser, or this one, out at once. */
  revokeSession: sessionProcedure
    .input(sessionReference)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      const revoked = await revokeSessions(ctx.db, ctx.accountId, ctx.actor, { only: input.session_id });
      if (revoked === 0) throw failWith(errors.noSuchSession());
      return DONE;
    }),

  /** Signs every other browser out at once. */
  revokeOtherSessions: sessionProcedure.output(z.object({ revoked_count: z.int() })).mutation(async ({ ctx }) => {
    const revokedCount = await revokeSessions(ctx.db, ctx.accountId, ctx.actor, { allBut: ctx.sessionId });
    return { revoked_count: revokedCount };
  }),

  /** Gives a passkey another name. */
  renamePasskey: sessionProcedure
    .input(passkeyName)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      await requireProof(ctx);
      const passkey = { id: input.passkey_id, name: input.name };
      const outcome = await renamePasskey(ctx.db, ctx.accountId, ctx.actor, passkey);
      if (!outcome.ok) throw failWith(outcome.reason);
      return DONE;
    }),

  /** Removes a passkey, so that it cannot sign in any more. */
  removePasskey: sessionProcedure
    .input(passkeyReference)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      await requireProof(ctx);
      const outcome = await removePasskey(ctx.db, ctx.accountId, ctx.actor, input.passkey_id);
      if (!outcome.ok) throw failWith(outcome.reason);
      return DONE;
    }),

  /** Unlinks the account from the provider of single sign-on. It can be linked again. */
  unlinkSingleSignOn: sessionProcedure.output(nothing).mutation(async ({ ctx }) => {
    await requireProof(ctx);
    const outcome = await unlinkSingleSignOn(ctx.db, ctx.accountId, ctx.actor);
    if (!outcome.ok) throw failWith(outcome.reason);
    return DONE;
  }),
});

/** The account with the address of its gateway: its own, else that of the operator. */
function withGateway(found: Account, { gatewayUrl }: { gatewayUrl: string | undefined }): Account {
  return { ...found, gateway_url: found.gateway_url ?? gatewayUrl ?? null };
}
