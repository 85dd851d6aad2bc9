import { requestedPage } from "../input/page";
import { accountProcedure, router } from "../trpc";
import { listEventKeys, listEvents } from "./queries";
import { eventKeyList, eventList, listEventKeysInput, listEventsInput } from "./schema";

export const historyRouter = router({
  /** What was changed in the account, newest first: by whom, when, from where, before and after. */
  list: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/history",
        summary: "List what was changed",
        description: "Every change of a key, a group, limits, settings or ways to sign in, newest first.",
        successDescription: "A page of the history.",
        tags: ["History"],
      },
    })
    .input(listEventsInput)
    .output(eventList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const { apikey_id: apikeyId, group_id: groupId, action, actor, from, to } = input;
      const filter = { apikeyId, groupId, action, actor, from, to };
      const found = await listEvents(ctx.db, ctx.accountId, filter, page);
      return { object: "list" as const, ...found, page: page.page, page_size: page.pageSize };
    }),

  /** Every key of one event, by its id; none for an event that does not exist. */
  keys: accountProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/v1/history/{event_id}/keys",
        summary: "List the keys of one change",
        description: "Every key that a change was done to, with its values before.",
        successDescription: "A page of the keys.",
        tags: ["History"],
      },
    })
    .input(listEventKeysInput)
    .output(eventKeyList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const found = await listEventKeys(ctx.db, ctx.accountId, input.event_id, page);
      return { object: "list" as const, ...found, page: page.page, page_size: page.pageSize };
    }),
});
