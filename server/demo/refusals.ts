import type { Refusal } from "../keys/schema";
import type { Limits } from "../limits/schema";
import { decimalOf, unitsOf } from "../limits/units";
import { callOrigin } from "./call-origin";
import { BY_MODEL, type ModelCalls } from "./calls";
import { type Capture, exactly, type Spender, UNITS } from "./capture-plan";
import type { Clock } from "./clock";
import { objectId, type Random } from "./random";
import type { SpendRows } from "./spend-rows";

const REFUSED_DAYS = 14;
const PRICE_CEILINGS = ["input_price_limit", "output_price_limit"] as const;
/** Of so many keys, each refusal is there, and not the counts alone. */
const LISTED_KEYS = 60;

/** Refuses calls of keys as their states and limits demand. */
export class Refusals {
  private refused = 0;

  constructor(
    private readonly rows: Pick<SpendRows, "refusals" | "singleRefusals">,
    private readonly calls: ModelCalls,
    private readonly random: Random,
    private readonly clock: Clock,
  ) {}

  /** Writes the refusals that follow from the state of a key. */
  add(key: Spender, captures: readonly Capture[], models: readonly string[]): void {
    const { id, fate, limits, lastAgo, refusedAfter } = key;
    const { random, clock } = this;
    const counts = new Map<string, { ago: number; code: Refusal; count: number }>();
    const count = (ago: number, code: Refusal, most: number) =>
      counts.set(`${ago} ${code}`, { ago, code, count: random.whole(1, most) });
    if (fate.kind === "limit" && fate.share >= 1) {
      const since = fate.window === "daily_limit" ? 0 : Math.min(captures.at(-1)?.ago ?? 0, REFUSED_DAYS);
      for (let ago = since; ago >= 0; ago--) count(ago, fate.window, 60);
    }
    if (fate.kind === "limit" && fate.window === "daily_limit") {
      for (const { ago, units } of captures) {
        const isFull = units > 0.9 * (limits.daily_limit ?? 0) * UNITS;
        if (ago > 0 && ago < REFUSED_DAYS && isFull) count(ago, "daily_limit", 12);
      }
    }
    if (fate.kind === "priced") {
      for (let ago = 0; ago < REFUSED_DAYS; ago++) {
        // The first days have one of each, so that the overview of the last days shows both, whatever the chance says.
        const first = PRICE_CEILINGS[ago];
        if (first || random.chance(0.5)) count(ago, first ?? random.pick(PRICE_CEILINGS), 20);
      }
    }
    if (fate.kind === "holding" && random.chance(0.3)) count(random.whole(0, 6), "open_holds", 15);
    if (refusedAfter !== undefined && random.chance(0.5)) {
      const from = Math.min(lastAgo - 1, REFUSED_DAYS);
      for (let ago = from; ago >= 0; ago--) if (random.chance(0.3)) count(ago, refusedAfter, 25);
    }
    for (const { ago, code, count } of counts.values()) {
      this.rows.refusals.push({ key_id: id, day: clock.day(ago), code, count });
    }
    if (counts.size === 0 || this.refused++ >= LISTED_KEYS) return;
    for (const { ago, code, count } of counts.values()) {
      for (let i = 0; i < count; i++) {
        const at = Math.floor(clock.during(ago, (i + random.share()) / count));
        this.rows.singleRefusals.push({
          id: objectId(random, at),
          key_id: id,
          recorded_on: new Date(at).toISOString().slice(0, 10),
          code,
          ...callOrigin(random),
          ...this.refusedCall(code, limits, clock.day(ago), models),
        });
      }
    }
  }

  /** What a refused call asked for: by a model, or by an amount with prices. */
  private refusedCall(code: Refusal, limits: Limits, day: string, models: readonly string[]) {
    const { random, calls } = this;
    const amount = decimalOf(exactly(random.whole(500, 30_000)));
    if (code === "input_price_limit" || code === "output_price_limit") {
      const ceiling = decimalOf(unitsOf(limits[code] ?? 0));
      const kind = code === "input_price_limit" ? "input" : "output";
      const call = calls.refused(kind, limits, day);
      if (call)
        return { amount: decimalOf(call.amount), model: call.model, price: decimalOf(call.prices[kind]), ceiling };
      return { amount, model: null, price: decimalOf(unitsOf((limits[code] ?? 0) * 1.25)), ceiling };
    }
    const call = random.chance(BY_MODEL) ? calls.asked(models, day) : undefined;
    return { amount: call ? decimalOf(call.amount) : amount, model: call?.model ?? null, price: null, ceiling: null };
  }
}
