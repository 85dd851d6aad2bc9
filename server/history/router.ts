import type { z } from "zod";
import { failWith } from "../errors/public-error";
import { countOf, countOfKeys } from "../input/count";
import { pageAnswer, requestedPage } from "../input/page";
import { eventOfRequest } from "../keys/repeated-request-queries";
import { accountProcedure, router, sessionProcedure } from "../trpc";
import { historyEndpoints } from "./endpoints";
import { EVENTS_OF_PART, partOfFile } from "./export-file";
import { type EventFilter, findLatestChange, listEventKeys, listEvents, listEventsAfter } from "./queries";
import { revertEvent } from "./revert-queries";
import type { Reverted } from "./reverted";
import {
  eventKeyList,
  eventList,
  exportEventsInput,
  exportedEvents,
  latestChange,
  latestChangeInput,
  listEventKeysInput,
  listEventsInput,
  revertEventInput,
  revertedEvent,
} from "./schema";

export const historyRouter = router({
  /** A page of the changes of the account, newest first: who, when, from where, the values before and after. */
  list: accountProcedure
    .meta(historyEndpoints.list)
    .input(listEventsInput)
    .output(eventList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      const found = await ctx.read((db) => listEvents(db, ctx.accountId, filterOf(input), page));
      return pageAnswer(found, page);
    }),

  /** All events that match, as a file in parts: send `next` of a part as `after` of the next call. */
  export: accountProcedure
    .meta(historyEndpoints.export)
    .input(exportEventsInput)
    .output(exportedEvents)
    .query(async ({ ctx, input }) => {
      const { format = "csv", after } = input;
      const events = await ctx.read((db) => listEventsAfter(db, ctx.accountId, filterOf(input), after, EVENTS_OF_PART));
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

  /** Undoes a change of keys, a group or prices, where it was not changed since (docs/api.md#undo-a-change). */
  revert: accountProcedure
    .meta(historyEndpoints.revert)
    .input(revertEventInput)
    .output(revertedEvent)
    .mutation(async ({ ctx, input }) => {
      const { event_id: eventId, force: isForced = false, dry_run: isDryRun = false } = input;
      const outcome = await revertEvent(ctx, ctx.accountId, ctx.actor, eventId, { isForced, isDryRun });
      if (!outcome.ok) throw failWith(outcome.reason);
      const { updated, failed, failedCount, skipped, eventIds, preview } = outcome;
      return {
        success: true as const,
        message: sentenceOf(outcome, isDryRun),
        updated_count: updated,
        failed_count: failedCount,
        skipped_count: skipped,
        failed,
        event_ids: eventIds,
        ...(isDryRun && { preview }),
      };
    }),

  /**
   * The newest change of one kind that this browser's owner has made of a key or a group, or by a named request, in the last
   * seconds. The dashboard offers to undo it, and knows by it that a group was created although the answer was lost.
   */
  latest: sessionProcedure
    .input(latestChangeInput)
    .output(latestChange)
    .query(async ({ ctx, input }) => {
      const { action, apikey_id: apikeyId, group_id: groupId, request_id: requestId, seconds } = input;
      const eventId = requestId === undefined ? undefined : eventOfRequest(ctx.accountId, requestId);
      const wanted = { action, apikeyId, groupId, eventId, seconds };
      const found = await findLatestChange(ctx.db, ctx.accountId, ctx.actor, wanted);
      return { event_id: found?.id ?? null, after: found?.after ?? {} };
    }),
});

function filterOf(input: z.infer<typeof listEventsInput>): EventFilter {
  const { apikey_id: apikeyId, group_id: groupId, action, actor, search, from, to } = input;
  return { apikeyId, groupId, action, actor, search, from, to };
}

function sentenceOf({ noun, name, updated, failedCount, preview }: Reverted, isDryRun: boolean): string {
  const failures =
    failedCount === 0 ? "" : `, ${failedCount} ${failedCount === 1 ? "stays as it is" : "stay as they are"}`;
  if (noun === "group") {
    if (failedCount > 0) return "Nothing changed.";
    return isDryRun ? "Nothing changed. The group would be as before." : `Group "${name}" is as it was before.`;
  }
  const found = (count: number) => (noun === "key" ? countOfKeys(count) : countOf(count, "price"));
  return isDryRun
    ? `Nothing changed. The change would be undone on ${found(preview.price_count ?? preview.key_count)}${failures}.`
    : `Undone on ${found(updated)}${failures}.`;
}
