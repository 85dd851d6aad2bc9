import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { accountProcedure, publicProcedure, router, sessionProcedure } from "../trpc";
import {
  findAccount,
  findSignInMethods,
  listSessions,
  removePasskey,
  renamePasskey,
  revokeSessions,
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
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/account",
        summary: "Read the account",
        description: "The account that the default key belongs to.",
        successDescription: "The account.",
        tags: ["Account"],
      },
    })
    .output(account)
    .query(({ ctx }) => findAccount(ctx.db, ctx.accountId)),

  /** Changes the time zone or the language: what is omitted stays. */
  updateSettings: accountProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/v1/account",
        summary: "Change settings of the account",
        description:
          "At least one setting is required. What is not sent stays as it is. Days and months of limits begin and end in the new time zone from now on.",
        successDescription: "The settings have been changed. The answer holds the account as it stands now.",
        tags: ["Account"],
      },
    })
    .input(accountSettings)
    .output(account)
    .mutation(async ({ ctx, input }) => {
      const updated = await updateSettings(ctx.db, ctx.accountId, ctx.actor, input);
      if (updated === "unknown time zone") {
        throw new TRPCError({ code: "BAD_REQUEST", message: "time_zone: the database does not know this time zone" });
      }
      return updated;
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
      if (revoked === 0) throw new TRPCError({ code: "NOT_FOUND", message: "session_id: the session does not exist" });
      return DONE;
    }),

  /** Signs every other browser out at once. */
  revokeOtherSessions: sessionProcedure.output(z.object({ revoked_count: z.int() })).mutation(async ({ ctx }) => {
    const revoked_count = await revokeSessions(ctx.db, ctx.accountId, ctx.actor, { allBut: ctx.sessionId });
    return { revoked_count };
  }),

  /** Names a passkey. */
  renamePasskey: sessionProcedure
    .input(passkeyName)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      if (!(await renamePasskey(ctx.db, ctx.accountId, input.passkey_id, input.name))) throw noSuchPasskey();
      return DONE;
    }),

  /** Removes a passkey: it signs in no longer. */
  removePasskey: sessionProcedure
    .input(passkeyReference)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      if (!(await removePasskey(ctx.db, ctx.accountId, ctx.actor, input.passkey_id))) throw noSuchPasskey();
      return DONE;
    }),
});

function noSuchPasskey(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "passkey_id: the passkey does not exist" });
}
