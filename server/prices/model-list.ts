import { allowedModels, type Ceilings, isAllowed } from "./allowed";
import type { Catalogue } from "./catalogue";
import { pricesAnswer } from "./cost";
import { byCodePoint } from "./name-order";
import { isPattern, type ModelPrice } from "./price-list";

/** The models that ceilings allow, by the names with which they are called. */
export interface ModelList {
  /** Each name and each alias that a call may use, by name, with its price. */
  models: { name: string; price: ModelPrice }[];
  /** The patterns. Names that match one, and that have no price of their own, may be called too. */
  patterns: ModelPrice[];
  /** How many of the models and patterns are allowed. An alias does not count by itself. */
  allowed: number;
  total: number;
}

/** The models of a catalogue that ceilings allow today. */
export function listAllowedModels(catalogue: Catalogue, ceilings: Ceilings): ModelList {
  const inForce = catalogue.inForce();
  const { allowed } = allowedModels(inForce, ceilings);
  const models = new Map<string, ModelPrice>();
  for (const name of catalogue.names()) {
    const price = catalogue.find(name);
    // A name that has its price by a pattern alone is told by the pattern.
    const isNamed = price && (!isPattern(price.name) || price.aliases.includes(name));
    if (isNamed && isAllowed(price.prices, ceilings)) models.set(name, price);
  }
  return {
    models: [...models].map(([name, price]) => ({ name, price })).sort((a, b) => byCodePoint(a.name, b.name)),
    patterns: allowed.filter(({ name }) => isPattern(name)),
    allowed: allowed.length,
    total: inForce.length,
  };
}

/** What a model costs today and how much it answers with, as answers have it: prices in yuan per million tokens. */
export function costAnswer({ prices, maxOutputTokens }: ModelPrice) {
  return { prices: pricesAnswer(prices), max_output_tokens: maxOutputTokens };
}
