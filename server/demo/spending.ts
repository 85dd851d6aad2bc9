import { decimalOf, type Units, unitsOfDecimal } from "../limits/units";
import { BookedDay } from "./booked-day";
import { callOrigin } from "./call-origin";
import { BY_MODEL, ModelCalls, type PricedCall } from "./calls";
import { type Capture, CapturePlan, exactly, type Spender } from "./capture-plan";
import { type Clock, monthOf } from "./clock";
import { objectId, type Random } from "./random";
import { Refusals } from "./refusals";
import type { AuthorizationRow, Counters, SpendRows } from "./spend-rows";

const HOLD_MS = 10 * 60_000;
/** So often a key that may call a model that costs nothing calls it beside another one. */
const FREE_CALLS = 0.25;

/** What a capture writes. */
interface Booking {
  cost: Units;
  /** How much of it is above the hold. */
  overrun: Units;
  /** Undefined: by an amount. */
  call: PricedCall | undefined;
}

/** Lets keys spend, within their limits unless it is their fate, with ledger, totals and counters that agree. */
export class Spending {
  readonly rows: SpendRows = {
    authorizations: [],
    ledger: [],
    keyDays: [],
    modelDays: [],
    refusals: [],
    singleRefusals: [],
  };
  private readonly calls: ModelCalls;
  private readonly plan: CapturePlan;
  private readonly refusals: Refusals;

  constructor(
    private readonly random: Random,
    private readonly clock: Clock,
  ) {
    this.calls = new ModelCalls(random);
    this.plan = new CapturePlan(random, clock);
    this.refusals = new Refusals(this.rows, this.calls, random, clock);
  }

  /** Writes the spend and the refusals of a key. Returns its counters. */
  add(key: Spender): Counters {
    const captures = this.plan.capturesOf(key);
    const { today } = this.clock;
    const month = monthOf(today);
    const isCalled = captures.length > 0 || key.fate.kind !== "ordinary" || key.refusedAfter !== undefined;
    const models = isCalled ? this.calls.modelsFor(key.limits, today) : [];
    const holds = key.fate.kind === "holding" ? this.hold(key, models) : [];
    this.refusals.add(key, captures, models);
    const { spent, daySpent, monthSpent, lastUsed } = this.captureAll(key, captures, models);
    const held = holds.reduce((sum, { amount }) => sum + unitsOfDecimal(amount), 0n);
    const lastHold = holds
      .map(({ created_at }) => created_at)
      .sort()
      .at(-1);
    const isUsed = captures.length + holds.length > 0;
    return {
      spent: decimalOf(spent),
      held: decimalOf(held),
      day: isUsed ? today : null,
      day_spent: decimalOf(daySpent),
      day_held: decimalOf(held),
      month: isUsed ? month : null,
      month_spent: decimalOf(monthSpent),
      month_held: decimalOf(held),
      open_holds: holds.length,
      held_until: holds.map(({ expires_at }) => expires_at).sort()[0] ?? null,
      last_used_at: lastHold ?? (lastUsed === 0 ? null : new Date(lastUsed).toISOString()),
    };
  }

  /** Writes the captures of a key. What the prices of models leave over of a limit that is to be reached, the last capture takes. */
  private captureAll(key: Spender, captures: readonly Capture[], models: readonly string[]) {
    const { random, clock, calls } = this;
    const month = monthOf(clock.today);
    const left = { budget: 0n, daily_limit: 0n, monthly_limit: 0n };
    let [spent, daySpent, monthSpent, lastUsed] = [0n, 0n, 0n, 0];
    for (let at = 0; at < captures.length; ) {
      const { ago = 0 } = captures[at] ?? {};
      const day = clock.day(ago);
      const ofDay = captures.slice(at).filter((capture) => capture.ago === ago);
      const booked = new BookedDay(key.id, day);
      left.daily_limit = 0n;
      for (const [i, { units, overrun }] of ofDay.entries()) {
        const moment = clock.during(ago, Math.min((i + random.share()) / ofDay.length, 0.999));
        const planned = exactly(units);
        const isLast = key.fate.kind === "limit" && at + i === captures.length - 1;
        const byModel = !isLast && random.chance(BY_MODEL);
        const call = byModel ? calls.call(models, day, planned) : undefined;
        const closing = isLast && key.fate.kind === "limit" ? left[key.fate.window] : 0n;
        const cost = call?.cost ?? planned + closing;
        for (const window of ["budget", "daily_limit", "monthly_limit"] as const) left[window] += planned - cost;
        lastUsed = Math.max(
          lastUsed,
          this.capture(key.id, day, ago, moment, { cost, overrun: exactly(overrun), call }),
        );
        booked.add(cost, call);
        const free = random.chance(FREE_CALLS) && !isLast ? calls.freeCall(models, day) : undefined;
        if (!free) continue;
        this.capture(key.id, day, ago, moment, { cost: 0n, overrun: 0n, call: free });
        booked.add(0n, free);
      }
      if (day < month) left.monthly_limit = 0n;
      this.rows.keyDays.push(booked.row);
      this.rows.modelDays.push(...booked.modelRows);
      spent += booked.spent;
      if (day === clock.today) daySpent += booked.spent;
      if (day >= month) monthSpent += booked.spent;
      at += ofDay.length;
    }
    return { spent, daySpent, monthSpent, lastUsed };
  }

  /** @param at when it was asked for, in milliseconds since 1970. @returns the same, whole. */
  private capture(keyId: string, day: string, ago: number, at: number, { cost, overrun, call }: Booking): number {
    const { random, clock } = this;
    const created = Math.floor(at);
    const isLate = overrun === 0n && ago > 0 && random.chance(0.004);
    const settled = Math.min(
      clock.now,
      created + (isLate ? HOLD_MS + random.whole(1, 90) * 1000 : random.whole(1, 90) * 1000),
    );
    // A gateway that sends amounts holds up to a third more than it captures.
    const margin = random.chance(0.5) ? (cost * BigInt(random.whole(0, 30))) / 100n : 0n;
    const settledAt = new Date(settled).toISOString();
    const authorizationId = this.authorize(keyId, day, created, {
      amount: decimalOf(call ? call.held : overrun > 0n ? cost - overrun : cost + margin),
      state: "captured",
      settled_at: settledAt,
      captured: decimalOf(cost),
      overrun: overrun > 0n,
      late: isLate,
      quote: call?.quote ?? null,
      usage: call?.usage ?? null,
    });
    this.rows.ledger.push({
      authorization_id: authorizationId,
      key_id: keyId,
      recorded_on: settledAt.slice(0, 10),
      recorded_at: settledAt,
      day,
      amount: decimalOf(cost),
      overrun: overrun > 0n,
      late: isLate,
      model: call?.model ?? null,
      input_tokens: call?.usage.input_tokens ?? null,
      cached_input_tokens: call?.usage.cached_input_tokens ?? null,
      output_tokens: call?.usage.output_tokens ?? null,
    });
    if (ago > 0 && random.chance(0.02)) {
      const amount = call ? call.held : exactly(random.whole(1, 50) * 1_000);
      this.authorize(keyId, day, created, {
        amount: decimalOf(amount),
        state: "voided",
        settled_at: settledAt,
        captured: null,
        overrun: false,
        late: false,
        quote: call?.quote ?? null,
        usage: null,
      });
    }
    return created;
  }

  /** Opens a few authorizations, a few minutes ago. */
  private hold({ id }: Spender, models: readonly string[]): AuthorizationRow[] {
    const { random, clock, calls } = this;
    const created = Array.from({ length: random.whole(1, 4) }, (_, i) =>
      Math.max(Math.floor(clock.during(0, 0)), clock.now - (i * 70 + random.whole(5, 60)) * 1000),
    );
    return created.map((at) => {
      const most = exactly(random.whole(5, 30) * 1_000);
      const call = calls.call(models, clock.today, most);
      const open = {
        state: "held",
        settled_at: null,
        captured: null,
        overrun: false,
        late: false,
        usage: null,
      } as const;
      const held = { ...open, amount: decimalOf(call?.held ?? most), quote: call?.quote ?? null };
      this.authorize(id, clock.today, at, held, random.whole(6, 55) * 60_000);
      return this.rows.authorizations.at(-1) as AuthorizationRow;
    });
  }

  private authorize(
    keyId: string,
    day: string,
    at: number,
    state: Omit<
      AuthorizationRow,
      "id" | "key_id" | "request_id" | "day" | "month" | "created_at" | "expires_at" | "gateway"
    >,
    lasts = HOLD_MS,
  ): string {
    const { random } = this;
    const id = objectId(random, at);
    this.rows.authorizations.push({
      id,
      key_id: keyId,
      ...callOrigin(random),
      day,
      month: monthOf(day),
      created_at: new Date(at).toISOString(),
      expires_at: new Date((state.state === "held" ? this.clock.now : at) + lasts).toISOString(),
      ...state,
    });
    return id;
  }
}
