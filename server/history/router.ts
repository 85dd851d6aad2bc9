import { pageAnswer, requestedPage } from "../input/page";
import { accountProcedure, router } from "../trpc";
import { historyEndpoints } from "./endpoints";
import { listEventKeys, listEvents } from "./queries";
import { eventKeyList, eventList, listEventKeysInput, listEventsInput } from "./schema";

export const historyRouter = router({
  /** A page of the changes of the account, newest first: who, when, from where, the values before and after. */
  list: accountProcedure
    .meta(historyEndpoints.list)
    .input(listEventsInput)
    .output(eventList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const { apikey_id: apikeyId, group_id: groupId, action, actor, from, to } = input;
      const filter = { apikeyId, groupId, action, actor, from, to };
      const found = await listEvents(ctx.db, ctx.accountId, filter, page);
      return pageAnswer(found, page);
    }),

  /** The keys of one event, ordered by id. An event that does not exist has none. */
  keys: accountProcedure
    .meta(historyEndpoints.keys)
    .input(listEventKeysInput)
    .output(eventKeyList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const found = await listEventKeys(ctx.db, ctx.accountId, input.event_id, page);
      return pageAnswer(found, page);
    }),
});
