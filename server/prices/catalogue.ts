import { byCodePoint } from "./name-order";
import { isPattern, type ModelPrice, type PriceList } from "./price-list";

/**
 * Whether a price counts today: `in_force`; `upcoming`: it begins later; `superseded`: one of the same name began after it;
 * `overridden`: the account has a price of its own for the model.
 */
export const STATES = ["in_force", "upcoming", "superseded", "overridden"] as const;

export type PriceState = (typeof STATES)[number];

/**
 * The prices that an account is charged on a day: its own, and those of the operator for models that it has no price for
 * itself.
 */
export class Catalogue {
  constructor(
    private readonly own: PriceList,
    private readonly operators: PriceList,
    /** Today in the account's time zone, YYYY-MM-DD, by the database's clock. */
    readonly day: string,
  ) {}

  /**
   * The price of a model today; undefined when it is unknown. A pattern of the account counts before a name of the operator. An
   * alias of the operator counts as its model, which the account may have a price of its own for.
   */
  find(model: string): ModelPrice | undefined {
    const direct = this.own.find(model, this.day);
    if (direct) return direct;
    const price = this.operators.find(model, this.day);
    // By its name, it was looked for among the prices of the account already.
    if (!price || price.name === model) return price;
    const own = this.#ownInPlaceOf(price, this.day);
    // A pattern has the prices of the model, which keeps its name.
    return own && isPattern(own.name) ? { ...own, name: price.name, aliases: price.aliases } : (own ?? price);
  }

  /** The names and aliases of all prices that count today, and of those that the account overrides. No patterns. */
  names(): Set<string> {
    const prices = [...this.own.inForce(this.day), ...this.operators.inForce(this.day)];
    return new Set(prices.flatMap(({ name, aliases }) => (isPattern(name) ? aliases : [name, ...aliases])));
  }

  /**
   * The prices that count on a day, one for each name or pattern, by name.
   * @param day YYYY-MM-DD; today when it is absent.
   */
  inForce(day = this.day): ModelPrice[] {
    const others = this.operators.inForce(day).filter((price) => !this.#isOverridden(price, day));
    return [...this.own.inForce(day), ...others].sort(inOrder);
  }

  /** All prices, by name; of one name the newest first. */
  all(): ModelPrice[] {
    return [...this.own.all(), ...this.operators.all()].sort(inOrder);
  }

  /** Whether a price of this catalogue counts today, and why not. */
  stateOf(price: ModelPrice): PriceState {
    if (price.validFrom > this.day) return "upcoming";
    const list = price.source === "account" ? this.own : this.operators;
    if (!list.isInForce(price, this.day)) return "superseded";
    return price.source === "operator" && this.#isOverridden(price, this.day) ? "overridden" : "in_force";
  }

  /** The prices of the account that count today in place of one of the operator. */
  overriding(): ReadonlySet<ModelPrice> {
    const found = this.operators.inForce(this.day).map((price) => this.#ownInPlaceOf(price, this.day));
    return new Set(found.filter((price) => price !== undefined));
  }

  #isOverridden(price: ModelPrice, day: string): boolean {
    return this.#ownInPlaceOf(price, day) !== undefined;
  }

  /** The price of the account that counts on a day for the model of a price of the operator. */
  #ownInPlaceOf({ name }: ModelPrice, day: string): ModelPrice | undefined {
    return this.own.inForceOf(name, day) ?? this.own.find(name, day);
  }
}

function inOrder(a: ModelPrice, b: ModelPrice): number {
  if (a.name !== b.name) return byCodePoint(a.name, b.name);
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? 1 : -1;
  return a.source < b.source ? -1 : 1;
}
