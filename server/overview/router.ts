import { countKeys } from "../groups/count-queries";
import type { Action } from "../history/action";
import { listEventsAfter } from "../history/queries";
import { pageAnswer, requestedPage } from "../input/page";
import { countKeysNearLimit, countMatchingKeys, type KeyFilter } from "../keys/queries";
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
  search: undefined,
  from: undefined,
  to: undefined,
};
const EXPIRING: KeyFilter = { search: undefined, group: undefined, status: undefined, look: "expiring_7_days" };

/** A number as it is answered: not above the greatest that is counted. */
function counted(found: number, isExact: boolean) {
  return { count: Math.min(found, MOST_COUNTED), is_exact: isExact && found <= MOST_COUNTED };
}

export const overviewRouter = router({
  /** The spend, the keys that may need the owner, refusals, and the newest changes. */
  get: accountProcedure
    .meta(overviewEndpoints.get)
    .output(overview)
    .query(({ ctx }) =>
      ctx.read(async (db) => {
        const { accountId } = ctx;
        const calendar = readCalendar(db, accountId);
        const [{ today }, spend, refusals, total, near, expiring, changes] = await Promise.all([
          calendar,
          calendar.then((found) => readSpend(db, accountId, found)),
          calendar.then(({ today }) =>
            readRefusals(db, accountId, { from: addDays(today, 1 - REFUSAL_DAYS), to: today }),
          ),
          countKeys(db.prisma, accountId, undefined),
          countKeysNearLimit(db, accountId, MOST_COUNTED),
          countMatchingKeys(db, accountId, EXPIRING, MOST_COUNTED),
          listEventsAfter(db, accountId, { ...ALL_EVENTS, without: NO_CHANGES }, undefined, CHANGES),
        ]);
        const keys = {
          total,
          at_limit: counted(near.atLimit, near.isExact),
          near_limit: counted(near.nearLimit, near.isExact),
          expiring: counted(expiring.total, expiring.isTotalExact),
        };
        return { today, spend, keys, refusals, changes };
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
