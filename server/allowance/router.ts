import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { findAllowance } from "../keys/allowance-queries";
import { ceilingsOf } from "../prices/allowed";
import { costAnswer, listAllowedModels } from "../prices/model-list";
import { holderProcedure, router } from "../trpc";
import { allowanceEndpoints } from "./endpoints";
import { allowance } from "./schema";

export const allowanceRouter = router({
  /** What the key of the request may spend and call. */
  get: holderProcedure
    .meta(allowanceEndpoints.get)
    .output(allowance)
    .query(async ({ ctx }) => {
      const { accountId, apikeyId } = ctx;
      const [found, catalogue] = await Promise.all([
        findAllowance(ctx.db, accountId, apikeyId),
        ctx.catalogues.find(accountId),
      ]);
      // The key was deleted with its account since it was recognised.
      if (!found) throw failWith(errors.invalidKey());
      const { models, patterns } = listAllowedModels(catalogue, ceilingsOf(found));
      return {
        apikey_id: apikeyId,
        ...found,
        models: models.map(({ name, price }) => ({ name, ...costAnswer(price) })),
        model_patterns: patterns.map((price) => ({ pattern: price.name, ...costAnswer(price) })),
      };
    }),
});
