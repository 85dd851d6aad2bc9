import { errors } from "../errors/catalogue";
import { failWith, failWithFaults } from "../errors/public-error";
import { pageAnswer, requestedPage } from "../input/page";
import { accountProcedure, router } from "../trpc";
import { bookOf } from "./book";
import { changeCatalogue } from "./change-queries";
import { modelEndpoints } from "./endpoints";
import { readPrices } from "./import/read";
import { listOperatorChanges } from "./operator-history";
import { findModel, listModels } from "./queries";
import { listEventModels, recordOfAccount } from "./recording";
import {
  changedModels,
  deletedModel,
  eventModelList,
  FROM_EVER,
  importedModels,
  importModelsInput,
  listEventModelsInput,
  listModelChangesInput,
  listModelsInput,
  modelPage,
  modelReference,
  oneModel,
  operatorChangePage,
  setModelsInput,
} from "./schema";
import { countsOf, sentenceOf } from "./summary";
import { changeOf } from "./tariff";

/** What models cost (docs/api.md#models). */
export const modelsRouter = router({
  /** A page of the prices that the account may see. */
  list: accountProcedure
    .meta(modelEndpoints.list)
    .input(listModelsInput)
    .output(modelPage)
    .query(async ({ ctx, input: { search, name, source, day, sort = "name", order = "asc", ...input } }) => {
      const page = requestedPage(input);
      const catalogue = await ctx.catalogues.find(ctx.accountId);
      const filter = { search, name, source, day };
      return pageAnswer(await listModels(ctx.db, ctx.accountId, catalogue, filter, { sort, order }, page), page);
    }),

  /** What the operator changed, newest first. */
  changes: accountProcedure
    .meta(modelEndpoints.changes)
    .input(listModelChangesInput)
    .output(operatorChangePage)
    .query(async ({ ctx, input: { search, ...input } }) => {
      const page = requestedPage(input);
      return pageAnswer(await ctx.read((db) => listOperatorChanges(db, search, page)), page);
    }),

  /** The prices that one event of the history changed. */
  ofEvent: accountProcedure
    .meta(modelEndpoints.ofEvent)
    .input(listEventModelsInput)
    .output(eventModelList)
    .query(async ({ ctx, input }) => {
      const page = requestedPage(input);
      return pageAnswer(await ctx.read((db) => listEventModels(db, ctx.accountId, input.event_id, page)), page);
    }),

  /** One price. */
  get: accountProcedure
    .meta(modelEndpoints.get)
    .input(modelReference)
    .output(oneModel)
    .query(async ({ ctx, input }) => {
      const catalogue = await ctx.catalogues.find(ctx.accountId);
      const found = await findModel(ctx.db, ctx.accountId, catalogue, input.model_id);
      if (!found) throw failWith(errors.noSuchPrice());
      return found;
    }),

  /** Creates prices of the account, or replaces those of the same name and first day. */
  set: accountProcedure
    .meta(modelEndpoints.set)
    .input(setModelsInput)
    .output(changedModels)
    .mutation(async ({ ctx, input: { models, dry_run: isDryRun = false } }) => {
      const record = recordOfAccount(ctx.accountId, ctx.actor, "models.set");
      const change = { set: models.map(changeOf) };
      const outcome = await changeCatalogue(ctx.db, bookOf(ctx.accountId), change, { isDryRun, record });
      if (!outcome.ok) throw failWith(outcome.reason);
      const { changes } = outcome;
      const counts = countsOf(changes);
      return { success: true as const, message: sentenceOf(counts, isDryRun), ...counts, changes };
    }),

  /** Sets prices of the account from a file. */
  import: accountProcedure
    .meta(modelEndpoints.import)
    .input(importModelsInput)
    .output(importedModels)
    .mutation(async ({ ctx, input: { content, replace = false, dry_run: isDryRun = false, ...options } }) => {
      const read = readPrices(content, options);
      if (!read.ok) throw failWithFaults(read.issues);
      const record = recordOfAccount(ctx.accountId, ctx.actor, "models.imported");
      const replaceFrom = replace ? (options.valid_from ?? FROM_EVER) : undefined;
      const change = { set: read.tariffs, replaceFrom };
      const outcome = await changeCatalogue(ctx.db, bookOf(ctx.accountId), change, { isDryRun, record });
      if (!outcome.ok) throw failWith(outcome.reason);
      const counts = countsOf(outcome.changes);
      const { changes } = outcome;
      const { skipped } = read;
      const message = sentenceOf(counts, isDryRun, skipped.length);
      return { success: true as const, message, ...counts, changes, skipped_count: skipped.length, skipped };
    }),

  /** Deletes a price of the account. */
  delete: accountProcedure
    .meta(modelEndpoints.delete)
    .input(modelReference)
    .output(deletedModel)
    .mutation(async ({ ctx, input }) => {
      const catalogue = await ctx.catalogues.find(ctx.accountId);
      const price = catalogue.all().find(({ id }) => id === input.model_id);
      if (!price) throw failWith(errors.noSuchPrice());
      if (price.source === "operator") throw failWith(errors.priceOfOperator());
      const record = recordOfAccount(ctx.accountId, ctx.actor, "models.deleted");
      const change = { set: [], remove: [price] };
      const outcome = await changeCatalogue(ctx.db, bookOf(ctx.accountId), change, { isDryRun: false, record });
      if (!outcome.ok) throw failWith(outcome.reason);
      if (outcome.changes.length === 0) throw failWith(errors.noSuchPrice());
      return { success: true as const, message: `Price of "${price.name}" deleted.` };
    }),
});
