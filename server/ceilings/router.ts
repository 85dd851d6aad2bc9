import { accountServedBy } from "../auth/spender";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import { costAnswer, listAllowedModels } from "../prices/model-list";
import type { ModelPrice } from "../prices/price-list";
import { accountProcedure, router, spendProcedure } from "../trpc";
import { ceilingEndpoints } from "./endpoints";
import { modelsInForce, modelsOfKey, modelsOfKeyInput } from "./schema";

const NO_COST = { amount: 0, inputPrice: undefined, outputPrice: undefined };

export const ceilingsRouter = router({
  /** The models that a key may call now: those that its price ceilings allow (docs/api.md#models-of-a-key). */
  modelsOfKey: spendProcedure
    .meta(ceilingEndpoints.modelsOfKey)
    .input(modelsOfKeyInput)
    .output(modelsOfKey)
    .query(async ({ ctx: { within, authorizer, catalogues }, input }) => {
      const { apikey_id: apikeyId, account_id: named } = input;
      if (typeof within !== "string" && named === undefined) throw failWith(errors.accountNotNamed());
      const key = await authorizer.check({ apikeyId, accountId: named }, NO_COST, within);
      const accountId = accountServedBy(within, named ?? (typeof within === "string" ? within : ""));
      if (!key || accountId === undefined) throw failWith(errors.noSuchKey());
      const { isAccountDisabled, isDisabled, isExpired, ceilings } = key.state;
      const { models, patterns, allowed, total } = listAllowedModels(await catalogues.find(accountId), ceilings);
      const reason = isAccountDisabled
        ? ("account_disabled" as const)
        : isDisabled
          ? ("key_disabled" as const)
          : isExpired
            ? ("key_expired" as const)
            : null;
      return {
        object: "list" as const,
        ...(reason === null
          ? { data: models.map(modelAnswer), patterns: patterns.map(patternAnswer), allowed }
          : { data: [], patterns: [], allowed: 0 }),
        total,
        reason,
      };
    }),

  /** What models cost the account today. */
  modelsInForce: accountProcedure
    .meta(ceilingEndpoints.modelsInForce)
    .output(modelsInForce)
    .query(async ({ ctx }) => {
      const catalogue = await ctx.catalogues.find(ctx.accountId);
      const data = catalogue.inForce().map((price) => ({
        name: price.name,
        aliases: [...price.aliases],
        source: price.source,
        ...costAnswer(price),
      }));
      return { object: "list" as const, data };
    }),
});

function modelAnswer({ name, price }: { name: string; price: ModelPrice }) {
  const created = Math.max(0, Date.parse(`${price.validFrom}T00:00:00Z`) / 1000);
  return { id: name, object: "model" as const, created, owned_by: price.source, ...costAnswer(price) };
}

function patternAnswer(price: ModelPrice) {
  return { pattern: price.name, owned_by: price.source, ...costAnswer(price) };
}
