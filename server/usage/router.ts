import { setImmediate } from "node:timers/promises";
import { CSV_TYPE } from "../csv";
import { pageAnswer, requestedPage } from "../input/page";
import { accountProcedure, router } from "../trpc";
import { usageEndpoints } from "./endpoints";
import { listKeyDays, listRefusals, listSeries } from "./queries";
import {
  exportedTotals,
  exportTotalsInput,
  keyUsage,
  keyUsageInput,
  refusals,
  totalPage,
  totalsInput,
  usage,
  usageInput,
} from "./schema";
import { listGroupTotals, listKeyTotalsAfter, listModelTotals, listTotals } from "./total-queries";
import { modelTotalsText, totalsText } from "./totals-file";

/** How many keys one part of an export looks at. */
const KEYS_OF_PART = 5_000;

export const usageRouter = router({
  /** The spend of the account by day, in series by group, by key or by model. Days are those of its zone. */
  account: accountProcedure
    .meta(usageEndpoints.account)
    .input(usageInput)
    .output(usage)
    .query(async ({ ctx, input }) => {
      const { from, to, by, group_id: groupId } = input;
      const found = await ctx.read((db) => listSeries(db, ctx.accountId, { range: { from, to }, by, groupId }));
      return { object: "list" as const, ...found };
    }),

  /** A page of what each group, key or model spent. Each with a capture in the range is on one of the pages. */
  totals: accountProcedure
    .meta(usageEndpoints.totals)
    .input(totalsInput)
    .output(totalPage)
    .query(async ({ ctx, input }) => {
      const { from, to, by, group_id: groupId, search, sort = "spent", order = "desc" } = input;
      const page = requestedPage(input);
      const { data, total, ...sums } = await ctx.read((db) =>
        listTotals(db, ctx.accountId, { range: { from, to }, by, groupId, search }, { sort, order }, page),
      );
      return { ...pageAnswer({ data, total }, page), ...sums };
    }),

  /** What each group, key or model spent, as a file in parts: send `next` of a part as `after` of the next call. */
  exportTotals: accountProcedure
    .meta(usageEndpoints.exportTotals)
    .input(exportTotalsInput)
    .output(exportedTotals)
    .query(async ({ ctx, input }) => {
      const { from, to, by, group_id: groupId, after } = input;
      const range = { from, to };
      const file = { type: CSV_TYPE, name: `spend-by-${by}-${from}-${to}.csv` };
      if (by === "model") {
        const data = await ctx.read((db) => listModelTotals(db, ctx.accountId, range, groupId));
        return { ...file, text: modelTotalsText(data), next: null };
      }
      if (by === "group") {
        const data = await ctx.read((db) => listGroupTotals(db, ctx.accountId, range, groupId));
        return { ...file, text: totalsText(by, data, true), next: null };
      }
      const { data, last } = await ctx.read((db) =>
        listKeyTotalsAfter(db, ctx.accountId, { range, groupId, after }, KEYS_OF_PART),
      );
      // To write so many lines takes a few milliseconds. Authorizations that have arrived meanwhile go first.
      await setImmediate();
      return { ...file, text: totalsText(by, data, after === undefined), next: last ?? null };
    }),

  /** The spend of one key by day. The list is empty for a key that does not exist. */
  key: accountProcedure
    .meta(usageEndpoints.key)
    .input(keyUsageInput)
    .output(keyUsage)
    .query(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, from, to } = input;
      const found = await ctx.read((db) => listKeyDays(db, ctx.accountId, apikeyId, { from, to }));
      return { object: "list" as const, ...found };
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
