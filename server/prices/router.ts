import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { pageAnswer, requestedPage } from "../input/page";
import { accountProcedure, router } from "../trpc";
import { bookOf } from "./book";
import { changeCatalogue } from "./change-queries";
import { modelEndpoints } from "./endpoints";
import { findModel, listModels, listOperatorChanges } from "./queries";
import { recordOfAccount } from "./recording";
import {
  changedModels,
  deletedModel,
  listModelChangesInput,
  listModelsInput,
  modelPage,
  modelReference,
  oneModel,
  operatorChangePage,
  setModelsInput,
} from "./schema";
import { countsOf, sentenceOf } from "./summary";
import { tariffOf } from "./tariff";

/** What models cost (docs/api.md#models). */
export const modelsRouter = router({
  /** A page of the prices that the account may see, by name. */
  list: accountProcedure
    .meta(modelEndpoints.list)
    .input(listModelsInput)
    .output(modelPage)
    .query(async ({ ctx, input: { search, source, day, ...input } }) => {
      const page = requestedPage(input);
      const catalogue = await ctx.catalogues.find(ctx.accountId);
      return pageAnswer(await listModels(ctx.db, ctx.accountId, catalogue, { search, source, day }, page), page);
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
      const change = { set: models.map(tariffOf) };
      const changes = await changeCatalogue(ctx.db, bookOf(ctx.accountId), change, { isDryRun, record });
      const counts = countsOf(changes);
      return { success: true as const, message: sentenceOf(counts, isDryRun), ...counts, changes };
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
      const changes = await changeCatalogue(ctx.db, bookOf(ctx.accountId), change, { isDryRun: false, record });
      if (changes.length === 0) throw failWith(errors.noSuchPrice());
      return { success: true as const, message: `Price of "${price.name}" deleted.` };
    }),
});
