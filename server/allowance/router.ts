import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { findAllowance } from "../keys/allowance-queries";
import { amountOf } from "../limits/units";
import { ceilingsOf } from "../prices/allowed";
import { listModels } from "../prices/model-list";
import type { ModelPrice } from "../prices/price-list";
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
      const { models, patterns } = listModels(catalogue, ceilingsOf(found));
      return {
        apikey_id: apikeyId,
        ...found,
        models: models.map(({ name, price }) => ({ name, ...costOf(price) })),
        model_patterns: patterns.map((price) => ({ pattern: price.name, ...costOf(price) })),
      };
    }),
});

function costOf({ prices, maxOutputTokens }: ModelPrice) {
  const { input, output, cachedInput } = prices;
  return {
    prices: { input: amountOf(input), output: amountOf(output), cached_input: amountOf(cachedInput) },
    max_output_tokens: maxOutputTokens,
  };
}
