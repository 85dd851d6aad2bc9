import type { TokenPrices } from "./cost";
import { byCodePoint } from "./name-order";

/** What a model costs from a day on: a price of the operator's catalogue, or of an account's. */
export interface ModelPrice {
  /** ObjectId. */
  id: string;
  /** Whose catalogue it is of. */
  source: "operator" | "account";
  /** The name of a model, or a pattern in which `*` stands for any characters. */
  name: string;
  /** Other names of the model. */
  aliases: readonly string[];
  prices: TokenPrices;
  /** The most tokens that the model answers with; `null`: unknown. */
  maxOutputTokens: number | null;
  /** The first day on which it counts, YYYY-MM-DD, in the time zone of the account that is charged. */
  validFrom: string;
}

interface Pattern {
  name: string;
  parts: readonly string[];
  /** How many characters it has without `*`. */
  literals: number;
}

/** Whether a name is a pattern of names. */
export function isPattern(name: string): boolean {
  return name.includes("*");
}

/**
 * The prices of one catalogue, to find the one of a model on a day (docs/api.md#which-price-counts): that of the model's
 * name; else that of an alias, of several the one that began last, then the first one by name; else that of the pattern with the
 * most characters beside `*`, the first one by name of several.
 * Of prices of one name, the one that began last counts. One that begins later does not count yet.
 */
export class PriceList {
  readonly #byName = new Map<string, ModelPrice[]>();
  readonly #byAlias = new Map<string, ModelPrice[]>();
  readonly #patterns: readonly Pattern[];
  /** How many prices these are, also those that do not count. */
  readonly size: number;

  constructor(prices: readonly ModelPrice[]) {
    this.size = prices.length;
    const sorted = [...prices].sort((a, b) => newestFirst(a, b) || byCodePoint(a.name, b.name));
    for (const price of sorted) {
      add(this.#byName, price.name, price);
      for (const alias of price.aliases) add(this.#byAlias, alias, price);
    }
    this.#patterns = [...this.#byName.keys()]
      .filter(isPattern)
      .map((name) => {
        const parts = name.split("*");
        return { name, parts, literals: [...parts.join("")].length };
      })
      .sort((a, b) => b.literals - a.literals || byCodePoint(a.name, b.name));
  }

  /**
   * The price of a model on a day; undefined when there is none.
   * @param day YYYY-MM-DD.
   */
  find(model: string, day: string): ModelPrice | undefined {
    const named = isPattern(model) ? undefined : this.#on(day, this.#byName.get(model));
    return named ?? this.#ofAlias(model, day) ?? this.#ofPattern(model, day);
  }

  /** The price on a day of exactly this name or pattern. */
  inForceOf(name: string, day: string): ModelPrice | undefined {
    return this.#on(day, this.#byName.get(name));
  }

  /** All prices, also those that do not count. */
  all(): ModelPrice[] {
    return [...this.#byName.values()].flat();
  }

  /** Whether a price of this list is the one of its name that counts on a day. */
  isInForce(price: ModelPrice, day: string): boolean {
    return this.#on(day, this.#byName.get(price.name)) === price;
  }

  /** The prices that count on a day, one for each name or pattern, by name. */
  inForce(day: string): ModelPrice[] {
    return [...this.#byName.keys()].sort(byCodePoint).flatMap((name) => this.#on(day, this.#byName.get(name)) ?? []);
  }

  /** An alias counts where the price that names it is in force, and not a newer one that has dropped the alias. */
  #ofAlias(model: string, day: string): ModelPrice | undefined {
    return this.#byAlias.get(model)?.find((price) => this.#on(day, this.#byName.get(price.name)) === price);
  }

  #ofPattern(model: string, day: string): ModelPrice | undefined {
    for (const pattern of this.#patterns) {
      const price = matches(pattern, model) ? this.#on(day, this.#byName.get(pattern.name)) : undefined;
      if (price) return price;
    }
    return undefined;
  }

  #on(day: string, prices: readonly ModelPrice[] | undefined): ModelPrice | undefined {
    return prices?.find(({ validFrom }) => validFrom <= day);
  }
}

function add(prices: Map<string, ModelPrice[]>, name: string, price: ModelPrice): void {
  const known = prices.get(name);
  if (known) known.push(price);
  else prices.set(name, [price]);
}

function newestFirst({ validFrom: a }: ModelPrice, { validFrom: b }: ModelPrice): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

/** Finds each part after the one before it, so that it takes one pass whatever the pattern is. */
function matches({ parts }: Pattern, model: string): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop() ?? "";
  if (model.length < first.length + last.length || !model.startsWith(first) || !model.endsWith(last)) return false;
  const end = model.length - last.length;
  let place = first.length;
  for (const part of rest) {
    const found = model.indexOf(part, place);
    if (found === -1 || found + part.length > end) return false;
    place = found + part.length;
  }
  return true;
}
