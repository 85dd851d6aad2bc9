import { CEILING_NAMES, CEILINGS, type Ceiling, type Limits } from "../limits/schema";
import { type Units, unitsOf } from "../limits/units";
import type { TokenPrices } from "./cost";

/** Price ceilings, in yuan per million tokens; `null` is no ceiling. */
export type Ceilings = Record<Ceiling, Units | null>;

/** The ceilings among the limits of a key. Unset and 0 are no ceiling. */
export function ceilingsOf(limits: Pick<Limits, Ceiling>): Ceilings {
  const ceiling = (name: Ceiling) => (limits[name] ? unitsOf(limits[name]) : null);
  return { input_price_limit: ceiling("input_price_limit"), output_price_limit: ceiling("output_price_limit") };
}

/** The exact prices of a model, from those of an answer: numbers, in yuan per million tokens. */
export function tokenPricesOf(prices: { input: number; output: number; cached_input: number }): TokenPrices {
  const { input, output, cached_input: cachedInput } = prices;
  return { input: unitsOf(input), output: unitsOf(output), cachedInput: unitsOf(cachedInput) };
}

/**
 * The prices of a model that ceilings bound. A call may pay either price of the input, so the higher one counts, as it does
 * in the estimate of a call.
 */
export function boundedPrices({ input, output, cachedInput }: TokenPrices): Record<(typeof CEILINGS)[Ceiling], Units> {
  return { input_price: input > cachedInput ? input : cachedInput, output_price: output };
}

/** Whether ceilings let calls of a model through: no price of it is above its ceiling. */
export function isAllowed(prices: TokenPrices, ceilings: Ceilings): boolean {
  const bounded = boundedPrices(prices);
  return CEILING_NAMES.every((name) => isWithin(bounded[CEILINGS[name]], ceilings[name]));
}

function isWithin(price: Units, ceiling: Units | null): boolean {
  return ceiling === null || price <= ceiling;
}

/** Models, told apart by what two ceilings mean for each of them. */
export interface AllowedModels<Model> {
  allowed: Model[];
  notAllowed: Model[];
  /** Those of the allowed ones that were not allowed before. */
  coming: Model[];
  /** Those of the others that were allowed before. */
  going: Model[];
}

/**
 * Which models ceilings allow.
 * @param before the ceilings until now; without them nothing comes or goes.
 */
export function allowedModels<Model extends { prices: TokenPrices }>(
  models: readonly Model[],
  ceilings: Ceilings,
  before: Ceilings = ceilings,
): AllowedModels<Model> {
  const found: AllowedModels<Model> = { allowed: [], notAllowed: [], coming: [], going: [] };
  for (const model of models) {
    const was = isAllowed(model.prices, before);
    const is = isAllowed(model.prices, ceilings);
    (is ? found.allowed : found.notAllowed).push(model);
    if (is && !was) found.coming.push(model);
    if (was && !is) found.going.push(model);
  }
  return found;
}
