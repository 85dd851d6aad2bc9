import { z } from "zod";
import { requireProof } from "../auth/proof";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { accountProcedure, publicProcedure, router, sessionProcedure } from "../trpc";
import { accountEndpoints } from "./endpoints";
import {
  findAccount,
  findSignInMethods,
  listSessions,
  removePasskey,
  renamePasskey,
  revokeSessions,
  unlinkSingleSignOn,
  updateSettings,
} from "./queries";
import {
  account,
  accountSettings,
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
    .query(({ ctx }) => findAccount(ctx.db, ctx.accountId)),

  /** Changes the time zone or the language. An omitted one stays. */
  updateSettings: accountProcedure
    .meta(accountEndpoints.updateSettings)
    .input(accountSettings)
    .output(account)
    .mutation(async ({ ctx, input }) => {
      const { time_zone: timeZone, language } = input;
      const updated = await updateSettings(ctx.db, ctx.accountId, ctx.actor, { timeZone, language });
      if (!updated.ok) throw failWith(updated.reason);
      return updated.account;
    }),

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
