import {
  type Quote,
  quoteCall,
  type StoredQuote,
  type StoredUsage,
  storedQuote,
  storedUsage,
} from "../authorizations/quote";
import type { Limits } from "../limits/schema";
import type { Units } from "../limits/units";
import { ceilingsOf, isAllowed } from "../prices/allowed";
import { costOfUsage, type TokenPrices } from "../prices/cost";
import { type ModelPrice, PriceList } from "../prices/price-list";
import { pricesOf, tariffOf } from "../prices/tariff";
import { EXAMPLE_MODELS } from "./models";
import type { Random } from "./random";

/** A call that is priced by its model. */
export interface PricedCall {
  /** The column `quote` of its authorization. */
  quote: StoredQuote;
  model: string;
  /** What is held for it, in yuan. */
  held: Units;
  usage: StoredUsage;
  /** What it cost, in yuan. */
  cost: Units;
}

/** A model that a call asked for, with the prices that a key may refuse. */
export interface RefusedModel {
  model: string;
  prices: TokenPrices;
  /** What would have been held for the call, in yuan. */
  amount: Units;
}

const PRICES = new PriceList(
  EXAMPLE_MODELS.map((model, place) => {
    const tariff = tariffOf(model);
    return { ...tariff, id: String(place), source: "account", prices: pricesOf(tariff) } satisfies ModelPrice;
  }),
);
/** The models by their names in calls. */
const MODELS = [...new Set(EXAMPLE_MODELS.map(({ name }) => name.replace("*", "2")))];
/** A model that costs nothing. */
const isFree = ({ input, output }: TokenPrices) => input + output === 0n;
/** About the most input tokens of a call. What costs more is called with the dearest model, as a job of many prompts. */
const USUAL_TOKENS = 400_000;
/** More input tokens than a job has. What costs more is captured as an amount. */
const MOST_TOKENS = 60_000_000;

/** This share of what can be priced by a model is. The others send an amount. */
export const BY_MODEL = 0.9;

/** Makes calls by the example models. */
export class ModelCalls {
  constructor(private readonly random: Random) {}

  /** The names of one to four models that a key may call, the one that it calls most first. */
  modelsFor(limits: Limits, day: string): string[] {
    const { random } = this;
    const ceilings = ceilingsOf(limits);
    const allowed = MODELS.filter((model) => isAllowed(this.#priceOf(model, day).prices, ceilings));
    const wanted = random.pick([1, 1, 2, 2, 3, 4] as const);
    const models: string[] = [];
    while (models.length < Math.min(wanted, allowed.length)) {
      const model = allowed[random.whole(0, allowed.length - 1)] ?? "";
      if (!models.includes(model)) models.push(model);
    }
    return models;
  }

  /**
   * A call of one of these models that costs nearly as much as `most`, and not more.
   * @returns undefined: it would have more tokens than a call has.
   */
  call(models: readonly string[], day: string, most: Units): PricedCall | undefined {
    const { random } = this;
    const priced = models.filter((model) => !isFree(this.#priceOf(model, day).prices));
    const [first] = priced;
    if (first === undefined) return undefined;
    // The first one is called most.
    const usual = random.chance(0.6) ? first : (priced[random.whole(0, priced.length - 1)] ?? first);
    const cached = random.chance(0.6) ? 0.7 * random.share() : 0;
    const answered = 0.03 + 0.2 * random.share() ** 2;
    const call = this.#costing(usual, day, most, cached, answered);
    if (call && call.usage.input_tokens <= USUAL_TOKENS) return call;
    const inputPrice = (model: string) => this.#priceOf(model, day).prices.input;
    const dearest = priced.reduce((one, other) => (inputPrice(other) > inputPrice(one) ? other : one));
    return this.#costing(dearest, day, most, cached, answered);
  }

  /**
   * A call that costs nearly as much as `most`. @param cached the share of the input that is cached.
   * @param answered output tokens for each of the input.
   */
  #costing(model: string, day: string, most: Units, cached: number, answered: number): PricedCall | undefined {
    const price = this.#priceOf(model, day);
    const { input, cachedInput, output } = price.prices;
    const answers = price.maxOutputTokens === null ? 0 : answered;
    const ofToken = Number(input) * (1 - cached) + Number(cachedInput) * cached + Number(output) * answers;
    // Two tokens less, because the cached ones are rounded down to whole ones too.
    const inputTokens = Math.floor((Number(most) * 1e6) / ofToken) - 2;
    if (inputTokens < 1 || inputTokens > MOST_TOKENS) return undefined;
    return this.#priced(model, price, inputTokens, Math.floor(inputTokens * cached), Math.floor(inputTokens * answers));
  }

  /** A call of a model of these that costs nothing; undefined: there is none. */
  freeCall(models: readonly string[], day: string): PricedCall | undefined {
    const { random } = this;
    const model = models.find((name) => isFree(this.#priceOf(name, day).prices));
    if (model === undefined) return undefined;
    return this.#priced(model, this.#priceOf(model, day), random.whole(200, 20_000), 0, random.whole(50, 2_000));
  }

  /** A call of a model whose price of this kind is above a ceiling; undefined: all prices are below it. */
  refused(kind: "input" | "output", limits: Limits, day: string): RefusedModel | undefined {
    const ceilings = ceilingsOf(limits);
    const above = MODELS.filter((model) => {
      const { prices } = this.#priceOf(model, day);
      // The price of the input is compared first.
      const isInputAllowed = isAllowed(prices, { ...ceilings, output_price_limit: null });
      return kind === "input" ? !isInputAllowed : isInputAllowed && !isAllowed(prices, ceilings);
    });
    return this.asked(above, day);
  }

  /** A call of one of these models; undefined: there is none. */
  asked(models: readonly string[], day: string): RefusedModel | undefined {
    const model = models[this.random.whole(0, Math.max(0, models.length - 1))];
    if (model === undefined) return undefined;
    const price = this.#priceOf(model, day);
    const call = { model, inputTokens: this.random.whole(2_000, 90_000), maxOutputTokens: 8_192 };
    return { model, prices: price.prices, amount: quoteCall(call, price).asked.amount };
  }

  #priced(
    model: string,
    price: ModelPrice,
    inputTokens: number,
    cachedInputTokens: number,
    outputTokens: number,
  ): PricedCall {
    const maxOutputTokens = Math.max(1, Math.ceil(outputTokens / 4_096)) * 4_096;
    // An estimate is a little above what the model counts.
    const estimate = inputTokens + this.random.whole(0, Math.ceil(inputTokens / 50));
    const { asked, quote } = quoteCall({ model, inputTokens: estimate, maxOutputTokens }, price);
    const usage = { inputTokens, cachedInputTokens, outputTokens };
    return {
      quote: storedQuote(quote as Quote),
      model,
      held: asked.amount,
      usage: storedUsage(usage),
      cost: costOfUsage(price.prices, usage),
    };
  }

  #priceOf(model: string, day: string): ModelPrice {
    const price = PRICES.find(model, day);
    if (!price) throw new Error(`there is no example price of ${model}`);
    return price;
  }
}
