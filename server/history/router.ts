import { pageAnswer, requestedPage } from "../input/page";
import { accountProcedure, router } from "../trpc";
import { historyEndpoints } from "./endpoints";
import { EVENTS_OF_PART, partOfFile } from "./export-file";
import { listEventKeys, listEvents, listEventsAfter } from "./queries";
import {
  eventKeyList,
  eventList,
  exportEventsInput,
  exportedEvents,
  listEventKeysInput,
  listEventsInput,
} from "./schema";

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
      const found = await ctx.read((db) => listEvents(db, ctx.accountId, filter, page));
      return pageAnswer(found, page);
    }),

  /** All events that match, as a file in parts: send `next` of a part as `after` of the next call. */
  export: accountProcedure
    .meta(historyEndpoints.export)
    .input(exportEventsInput)
    .output(exportedEvents)
    .query(async ({ ctx, input }) => {
      const { apikey_id: apikeyId, group_id: groupId, action, actor, from, to, format = "csv", after } = input;
      const filter = { apikeyId, groupId, action, actor, from, to };
      const events = await ctx.read((db) => listEventsAfter(db, ctx.accountId, filter, after, EVENTS_OF_PART));
      return partOfFile(format, events, after === undefined);
    }),

  /** The keys of one event, ordered by id. An event that does not exist has none. */
  keys: accountProcedure
    .meta(historyEndpoints.keys)
    .input(listEventKeysInput)
    .output(eventKeyList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const found = await ctx.read((db) => listEventKeys(db, ctx.accountId, input.event_id, page));
      return pageAnswer(found, page);
    }),
});
