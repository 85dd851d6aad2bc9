import { countKeys } from "../groups/count-queries";
import type { Action } from "../history/action";
import { listEventsAfter } from "../history/queries";
import { pageAnswer, requestedPage } from "../input/page";
import { countMatchingKeys, type KeyFilter } from "../keys/queries";
import { accountProcedure, router } from "../trpc";
import { addDays } from "./calendar";
import { overviewEndpoints } from "./endpoints";
import { listRefusedKeys, readCalendar, readRefusals, readSpend } from "./queries";
import { listRefusedKeysInput, MOST_COUNTED, overview, REFUSAL_DAYS, refusedKeyList } from "./schema";

const CHANGES = 5;
/** They change nothing, and would hide what does. */
const NO_CHANGES: readonly Action[] = ["sign_in.signed_in", "sign_in.signed_out", "sign_in.failed"];
const ALL_EVENTS = {
  apikeyId: undefined,
  groupId: undefined,
  action: undefined,
  actor: undefined,
  from: undefined,
  to: undefined,
};
const ALL_KEYS: KeyFilter = { search: undefined, group: undefined, status: undefined, look: undefined };

export const overviewRouter = router({
  /** The spend, the keys that may need the owner, refusals, and the newest changes. */
  get: accountProcedure
    .meta(overviewEndpoints.get)
    .output(overview)
    .query(({ ctx }) =>
      ctx.read(async (db) => {
        const { accountId } = ctx;
        const calendar = await readCalendar(db, accountId);
        const { today } = calendar;
        const counted = async (filter: Partial<KeyFilter>) => {
          const { total, isTotalExact } = await countMatchingKeys(
            db,
            accountId,
            { ...ALL_KEYS, ...filter },
            MOST_COUNTED,
          );
          return { count: total, is_exact: isTotalExact };
        };
        const [spend, total, at_limit, near_limit, expiring, refusals, changes] = await Promise.all([
          readSpend(db, accountId, calendar),
          countKeys(db.prisma, accountId, undefined),
          counted({ status: "exhausted" }),
          counted({ status: "active", look: "over_80" }),
          counted({ look: "expiring_7_days" }),
          readRefusals(db, accountId, { from: addDays(today, 1 - REFUSAL_DAYS), to: today }),
          listEventsAfter(db, accountId, { ...ALL_EVENTS, without: NO_CHANGES }, undefined, CHANGES),
        ]);
        return { today, spend, keys: { total, at_limit, near_limit, expiring }, refusals, changes };
      }),
    ),

  /** A page of the keys that were refused in some days, each with a reason. */
  refusals: accountProcedure
    .meta(overviewEndpoints.refusals)
    .input(listRefusedKeysInput)
    .output(refusedKeyList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const { from, to, code } = input;
      const found = await ctx.read((db) => listRefusedKeys(db, ctx.accountId, { from, to, code }, page));
      return pageAnswer(found, page);
    }),
});
