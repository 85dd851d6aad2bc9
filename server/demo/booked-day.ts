import { decimalOf, type Units } from "../limits/units";
import type { PricedCall } from "./calls";

/** What a key spent on a day with one model. */
export interface ModelDayRow {
  key_id: string;
  day: string;
  model: string;
  spent: string;
  captures: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
}

/** What a key spent on a day, in all and with each model, as rows of the totals of days. */
export class BookedDay {
  spent: Units = 0n;
  private captures = 0;
  private readonly byModel = new Map<string, { spent: Units; captures: number; usage: PricedCall["usage"] }>();

  constructor(
    private readonly keyId: string,
    private readonly day: string,
  ) {}

  /** @param call undefined: it was captured by an amount. */
  add(cost: Units, call: PricedCall | undefined): void {
    this.spent += cost;
    this.captures++;
    if (!call) return;
    const { model, usage } = call;
    const none = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
    const before = this.byModel.get(model) ?? { spent: 0n, captures: 0, usage: none };
    this.byModel.set(model, {
      spent: before.spent + cost,
      captures: before.captures + 1,
      usage: {
        input_tokens: before.usage.input_tokens + usage.input_tokens,
        cached_input_tokens: before.usage.cached_input_tokens + usage.cached_input_tokens,
        output_tokens: before.usage.output_tokens + usage.output_tokens,
      },
    });
  }

  get row(): { key_id: string; day: string; spent: string; captures: number } {
    return { key_id: this.keyId, day: this.day, spent: decimalOf(this.spent), captures: this.captures };
  }

  get modelRows(): ModelDayRow[] {
    return [...this.byModel].map(([model, { spent, captures, usage }]) => {
      return { key_id: this.keyId, day: this.day, model, spent: decimalOf(spent), captures, ...usage };
    });
  }
}
