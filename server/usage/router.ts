import { accountProcedure, router } from "../trpc";
import { listKeyDays, listRefusals, listSeries, sumUsage } from "./queries";
import { keyUsage, keyUsageInput, refusals, usage, usageInput } from "./schema";

const TAGS = ["Usage"];

export const usageRouter = router({
  /** What the account spent by day, stacked by group or by key. Days are those of its zone. */
  account: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/usage",
        summary: "Read the spend of the account",
        description: "What was spent by day, by group or by key: those that spent most, and all others as one.",
        successDescription: "The spend.",
        tags: TAGS,
      },
    })
    .input(usageInput)
    .output(usage)
    .query(async ({ ctx, input }) => {
      const { from, to, by, group_id: groupId } = input;
      const [data, total] = await Promise.all([
        listSeries(ctx.db, ctx.accountId, { from, to }, by, groupId),
        sumUsage(ctx.db, ctx.accountId, { from, to }, { groupId }),
      ]);
      return { object: "list" as const, data, total };
    }),

  /** What one key spent by day; nothing for a key that does not exist. */
  key: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikeys/{apikey_id}/usage",
        summary: "Read the spend of one API key",
        description: "What the key spent by day. Days without spend are left out.",
        successDescription: "The spend.",
        tags: TAGS,
      },
    })
    .input(keyUsageInput)
    .output(keyUsage)
    .query(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, from, to } = input;
      const [data, total] = await Promise.all([
        listKeyDays(ctx.db, ctx.accountId, apikeyId, { from, to }),
        sumUsage(ctx.db, ctx.accountId, { from, to }, { apikeyId }),
      ]);
      return { object: "list" as const, data, total };
    }),

  /** Why one key was refused, and how often. */
  refusals: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/apikeys/{apikey_id}/refusals",
        summary: "Read why an API key was refused",
        description: "The reasons for which authorizations of the key were refused, and how often.",
        successDescription: "The reasons.",
        tags: TAGS,
      },
    })
    .input(keyUsageInput)
    .output(refusals)
    .query(async ({ ctx, input }) => {
      const { apikey_id, from, to } = input;
      return { object: "list" as const, data: await listRefusals(ctx.db, ctx.accountId, apikey_id, { from, to }) };
    }),
});
