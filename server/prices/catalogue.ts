import type { ModelPrice, PriceList } from "./price-list";

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

  /** The prices that count today, one for each name or pattern, by name. */
  inForce(): ModelPrice[] {
    const own = this.own.inForce(this.day);
    const names = new Set(own.map(({ name }) => name));
    const others = this.operators
      .inForce(this.day)
      .filter(({ name }) => !names.has(name) && !this.own.find(name, this.day));
    return [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
