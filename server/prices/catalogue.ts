import type { ModelPrice, PriceList } from "./price-list";

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

  /** The price of a model today; undefined when it is unknown. A pattern of the account counts before a name of the operator. */
  find(model: string): ModelPrice | undefined {
    return this.own.find(model, this.day) ?? this.operators.find(model, this.day);
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

  /** Whether the account has a price of its own for the model of a price of the operator. */
  #isOverridden({ name }: ModelPrice, day: string): boolean {
    return this.own.has(name, day) || this.own.find(name, day) !== undefined;
  }
}

/** Code points decide, so that the order is the same everywhere. */
function inOrder(a: ModelPrice, b: ModelPrice): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? 1 : -1;
  return a.source < b.source ? -1 : 1;
}
