import { TRPCError } from "@trpc/server";
import { accountProcedure, router } from "../trpc";
import { findAccount, updateSettings } from "./queries";
import { account, accountSettings } from "./schema";

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
});
