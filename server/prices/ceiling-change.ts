import { setImmediate } from "node:timers/promises";
import { MODELS_SHOWN, type PreviewOfModels } from "../limits/preview";
import { boundedPrices, type Ceilings, isAllowed } from "./allowed";
import type { TokenPrices } from "./cost";
import { byCodePoint } from "./name-order";

/** Keys that have the same ceilings, and get the same. */
export interface KeysWithCeilings {
  before: Ceilings;
  after: Ceilings;
  keyCount: number;
}

interface NamedModel {
  name: string;
  prices: TokenPrices;
}

/** How many models are looked at before calls that have arrived meanwhile go first: about a millisecond of work. */
const MODELS_AT_ONCE = 500_000;

/**
 * What a change of ceilings means for the models that many keys may call.
 * @param keys at least one, each key in one of them.
 */
export async function changeOfCeilings(
  models: readonly NamedModel[],
  keys: readonly KeysWithCeilings[],
): Promise<PreviewOfModels> {
  const steps = new Steps(models);
  const places = models.map(({ prices }) => steps.placeOf(prices));
  // Arrays of numbers, because the loop over them may run a hundred million times.
  const inputs = Int32Array.from(places, ({ input }) => input);
  const outputs = Int32Array.from(places, ({ output }) => output);
  const coming = new Int32Array(models.length);
  const going = new Int32Array(models.length);
  const allowed = { least: models.length, most: 0 };
  let looked = 0;
  for (const { before, after, keyCount } of keys) {
    const was = steps.passedBy(before);
    const is = steps.passedBy(after);
    let count = 0;
    for (let i = 0; i < inputs.length; i++) {
      const input = inputs[i] as number;
      const output = outputs[i] as number;
      const isNow = input < is.input && output < is.output;
      const wasBefore = input < was.input && output < was.output;
      if (isNow) count++;
      if (isNow === wasBefore) continue;
      const keyCounts = isNow ? coming : going;
      keyCounts[i] = (keyCounts[i] as number) + keyCount;
    }
    allowed.least = Math.min(allowed.least, count);
    allowed.most = Math.max(allowed.most, count);
    looked += models.length;
    if (looked < MODELS_AT_ONCE) continue;
    looked = 0;
    await setImmediate();
  }
  const come = concerned(models, coming);
  const go = concerned(models, going);
  return {
    total: models.length,
    allowed,
    coming_count: come.length,
    coming: come.slice(0, MODELS_SHOWN),
    going_count: go.length,
    going: go.slice(0, MODELS_SHOWN),
  };
}

/**
 * The prices of models in the order in which ceilings let them through, so that a model and a ceiling are compared as two
 * small numbers: the keys of an account may have a hundred thousand different ceilings.
 */
class Steps {
  readonly #input: TokenPrices[];
  readonly #output: TokenPrices[];
  readonly #inputs: Map<bigint, number>;
  readonly #outputs: Map<bigint, number>;

  constructor(models: readonly NamedModel[]) {
    const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
    const distinct = (name: "input_price" | "output_price") =>
      [...new Set(models.map(({ prices }) => boundedPrices(prices)[name]))].sort(ascending);
    const places = (sorted: bigint[]) => new Map(sorted.map((price, i) => [price, i]));
    const inputs = distinct("input_price");
    const outputs = distinct("output_price");
    this.#inputs = places(inputs);
    this.#outputs = places(outputs);
    this.#input = inputs.map((input) => ({ input, cachedInput: input, output: 0n }));
    this.#output = outputs.map((output) => ({ input: 0n, cachedInput: 0n, output }));
  }

  /** The places of the prices of a model, from 0 on. */
  placeOf(prices: TokenPrices): { input: number; output: number } {
    const { input_price: input, output_price: output } = boundedPrices(prices);
    return { input: this.#inputs.get(input) ?? 0, output: this.#outputs.get(output) ?? 0 };
  }

  /** How many of the prices ceilings let through. */
  passedBy({ input_price_limit, output_price_limit }: Ceilings): { input: number; output: number } {
    return {
      input: countPassing(this.#input, { input_price_limit, output_price_limit: null }),
      output: countPassing(this.#output, { input_price_limit: null, output_price_limit }),
    };
  }
}

/** Halves the range until it has found the first price that does not pass. All behind it do not pass either. */
function countPassing(sorted: readonly TokenPrices[], ceilings: Ceilings): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const prices = sorted[middle];
    if (prices && isAllowed(prices, ceilings)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The models that some keys gain or lose, those of most keys first. */
function concerned(models: readonly NamedModel[], keyCounts: Int32Array): PreviewOfModels["coming"] {
  return models
    .map(({ name }, i) => ({ name, key_count: keyCounts[i] ?? 0 }))
    .filter(({ key_count }) => key_count > 0)
    .sort((a, b) => b.key_count - a.key_count || byCodePoint(a.name, b.name));
}
