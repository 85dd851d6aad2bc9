import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { newObjectId } from "../input/new-object-id";
import { accountProcedure, router } from "../trpc";
import { savedFilterEndpoints } from "./endpoints";
import { deleteSavedFilter, insertSavedFilter, listSavedFilters, renameSavedFilter } from "./queries";
import {
  changedSavedFilter,
  createSavedFilterInput,
  deletedSavedFilter,
  renameSavedFilterInput,
  savedFilterList,
  savedFilterReference,
} from "./schema";

/** Names for filters and orders of lists (docs/api.md#saved-filters). */
export const savedFiltersRouter = router({
  /** Every saved filter of the account, by name. */
  list: accountProcedure
    .meta(savedFilterEndpoints.list)
    .output(savedFilterList)
    .query(async ({ ctx }) => ({ object: "list" as const, data: await listSavedFilters(ctx.db, ctx.accountId) })),

  /** Saves a filter and an order under a name. */
  create: accountProcedure
    .meta(savedFilterEndpoints.create)
    .input(createSavedFilterInput)
    .output(changedSavedFilter)
    .mutation(async ({ ctx, input: { name, keys, history } }) => {
      const saved =
        keys === undefined
          ? { list: "history" as const, query: { ...history } }
          : { list: "keys" as const, query: keys };
      const outcome = await insertSavedFilter(ctx.db, ctx.accountId, { id: newObjectId(), name, ...saved });
      if (!outcome.ok) throw failWith(outcome.reason);
      return { success: true as const, message: `Filter "${name}" saved.`, ...outcome.filter };
    }),

  /** Gives a saved filter another name. */
  rename: accountProcedure
    .meta(savedFilterEndpoints.rename)
    .input(renameSavedFilterInput)
    .output(changedSavedFilter)
    .mutation(async ({ ctx, input: { filter_id: id, name } }) => {
      const outcome = await renameSavedFilter(ctx.db, ctx.accountId, id, name);
      if (!outcome.ok) throw failWith(outcome.reason);
      return { success: true as const, message: `Saved filter renamed to "${name}".`, ...outcome.filter };
    }),

  /** Deletes a saved filter. What it shows stays. */
  delete: accountProcedure
    .meta(savedFilterEndpoints.delete)
    .input(savedFilterReference)
    .output(deletedSavedFilter)
    .mutation(async ({ ctx, input }) => {
      const name = await deleteSavedFilter(ctx.db, ctx.accountId, input.filter_id);
      if (name === undefined) throw failWith(errors.noSuchSavedFilter());
      return { success: true as const, message: `Saved filter "${name}" deleted.` };
    }),
});
