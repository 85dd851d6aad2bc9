import { accountProcedure, router } from "../trpc";
import { usageEndpoints } from "./endpoints";
import { listKeyDays, listRefusals, listSeries, sumKeyDays } from "./queries";
import { keyUsage, keyUsageInput, refusals, usage, usageInput } from "./schema";

export const usageRouter = router({
  /** The spend of the account by day, in series by group or by key. Days are those of its zone. */
  account: accountProcedure
    .meta(usageEndpoints.account)
    .input(usageInput)
    .output(usage)
    .query(async ({ ctx, input }) => {
      const { from, to, by, group_id: groupId } = input;
      const found = await ctx.read((db) => listSeries(db, ctx.accountId, { range: { from, to }, by, groupId }));
      return { object: "list" as const, ...found };
    }),

  /** The spend of one key by day. The list is empty for a key that does not exist. */
  key: accountProcedure
    .meta(usageEndpoints.key)
    .input(keyUsageInput)
    .output(keyUsage)
    .query(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, from, to } = input;
      const [data, total] = await ctx.read((db) =>
        Promise.all([
          listKeyDays(db, ctx.accountId, apikeyId, { from, to }),
          sumKeyDays(db, ctx.accountId, apikeyId, { from, to }),
        ]),
      );
      return { object: "list" as const, data, total };
    }),

  /** How often one key was refused for each reason. */
  refusals: accountProcedure
    .meta(usageEndpoints.refusals)
    .input(keyUsageInput)
    .output(refusals)
    .query(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, from, to } = input;
      const data = await ctx.read((db) => listRefusals(db, ctx.accountId, apikeyId, { from, to }));
      return { object: "list" as const, data };
    }),
});
