import type { Refusal } from "../keys/schema";
import type { Limits } from "../limits/schema";
import { decimalOf, type Units, unitsOf, unitsOfDecimal } from "../limits/units";
import { BookedDay, type ModelDayRow } from "./booked-day";
import { ModelCalls, type PricedCall } from "./calls";
import { type Clock, monthOf } from "./clock";
import type { Fate } from "./fates";
import { objectId, type Random } from "./random";

/** The counters of a key, as columns of its row. Amounts are decimal numbers, in yuan. */
export interface Counters {
  spent: string;
  held: string;
  day: string | null;
  day_spent: string;
  day_held: string;
  month: string | null;
  month_spent: string;
  month_held: string;
  open_holds: number;
  held_until: string | null;
  last_used_at: string | null;
}

interface AuthorizationRow {
  id: string;
  key_id: string;
  request_id: string | null;
  amount: string;
  state: "held" | "captured" | "voided";
  day: string;
  month: string;
  created_at: string;
  expires_at: string;
  settled_at: string | null;
  captured: string | null;
  overrun: boolean;
  late: boolean;
  gateway: string | null;
  /** null: by an amount. */
  quote: PricedCall["quote"] | null;
  usage: PricedCall["usage"] | null;
}

/** Rows of the tables of spend, by their columns, without the account. */
export interface SpendRows {
  authorizations: AuthorizationRow[];
  ledger: {
    authorization_id: string;
    key_id: string;
    recorded_on: string;
    recorded_at: string;
    day: string;
    amount: string;
    overrun: boolean;
    late: boolean;
    model: string | null;
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
  }[];
  keyDays: BookedDay["row"][];
  modelDays: ModelDayRow[];
  refusals: { key_id: string; day: string; code: Refusal; count: number }[];
  singleRefusals: {
    id: string;
    key_id: string;
    recorded_on: string;
    code: Refusal;
    amount: string;
    request_id: string | null;
    gateway: string | null;
    model: string | null;
    price: string | null;
    ceiling: string | null;
  }[];
}

/** A key, as far as its spend follows from it. */
export interface Spender {
  id: string;
  limits: Limits;
  fate: Fate;
  /** The first and the last day on which it could be used, in days before today. */
  firstAgo: number;
  lastAgo: number;
  /** Why it is refused after its last day, where it is. */
  refusedAfter: Refusal | undefined;
}

/** Spend goes back so many days: through this month and the last. */
const DAYS = 62;
/** So many keys spend every day, and so many of them many times a day. The others spent once, or never. */
const DAILY_SPENDERS = 1_500;
const BUSY_SPENDERS = 60;
const BUSY_DAYS = 14;
/** On this day, so many days ago, everybody spent more: a batch ran twice. */
const SPIKE_AGO = 9;
const SPIKE = 2.1;
const REFUSED_DAYS = 14;
const PRICE_CEILINGS = ["input_price_limit", "output_price_limit"] as const;
/** Of so many keys, each refusal is there, and not the counts alone. */
const LISTED_KEYS = 60;
const HOLD_MS = 10 * 60_000;
const GATEWAYS = ["gateway-cn-north", "gateway-eu", "batch-runner"] as const;

/** What is to be spent is counted in ten-thousandths of a yuan. */
const UNITS = 10_000;
const exactly = (units: number): Units => BigInt(units) * 100_000n;
/** This share of what can be priced by a model is. The others send an amount. */
const BY_MODEL = 0.9;
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

/** A part of a day that one authorization takes. */
interface Capture {
  ago: number;
  units: number;
  overrun: number;
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
  private spenders = 0;
  private refused = 0;

  constructor(
    private readonly random: Random,
    private readonly clock: Clock,
  ) {
    this.calls = new ModelCalls(random);
  }

  /** Writes the spend and the refusals of a key. Returns its counters. */
  add(key: Spender): Counters {
    const captures = this.capturesOf(key);
    const { today } = this.clock;
    const month = monthOf(today);
    const isCalled = captures.length > 0 || key.fate.kind !== "ordinary" || key.refusedAfter !== undefined;
    const models = isCalled ? this.calls.modelsFor(key.limits, today) : [];
    const holds = key.fate.kind === "holding" ? this.hold(key, models) : [];
    this.refuse(key, captures, models);
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

  /** What a key captures, in the order of the days. */
  private capturesOf(key: Spender): Capture[] {
    const { fate, lastAgo } = key;
    const isFated = fate.kind === "limit" || fate.kind === "holding";
    if (!isFated && this.random.chance(0.3)) return [];
    const place = this.spenders++;
    const isDaily = place < DAILY_SPENDERS;
    if (!isDaily && !isFated && this.random.chance(0.7)) return [];
    const days = this.weightedDays(key, isDaily);
    const units = this.scaled(key, days);
    const parts = place < BUSY_SPENDERS ? this.random.whole(3, 8) : 1;
    // What a fate wants above the limit is the overrun of the last capture.
    const limit = fate.kind === "limit" ? (key.limits[fate.window] ?? 0) : 0;
    const above = fate.kind === "limit" && fate.share > 1 ? Math.round((fate.share - 1) * limit * UNITS) : 0;
    return days.flatMap(({ ago }, i) =>
      split(units[i] ?? 0, ago - lastAgo < BUSY_DAYS ? parts : 1, ago, i === days.length - 1 ? above : 0),
    );
  }

  /** The days on which a key spends, the oldest first, each with its weight. */
  private weightedDays({ fate, firstAgo, lastAgo }: Spender, isDaily: boolean): { ago: number; weight: number }[] {
    const { random, clock } = this;
    const last = isDaily ? lastDay(random, fate, lastAgo) : lastOfFew(random, clock, fate, lastAgo);
    const first = Math.min(firstAgo, DAYS - 1);
    const days: { ago: number; weight: number }[] = [];
    for (let ago = first; ago >= last; ago--) {
      const isNeeded = ago === last && fate.kind === "limit";
      if (!isNeeded && random.chance(isDaily ? 0.15 : 0.94)) continue;
      const trend = 0.8 + (0.4 * (DAYS - ago)) / DAYS;
      const week = clock.isWeekend(ago) ? 0.4 : 1;
      const usual = ago === 0 ? week * clock.shareOfToday : week;
      days.push({ ago, weight: trend * (ago === SPIKE_AGO ? SPIKE : usual) * (0.6 + 0.8 * random.share()) });
    }
    return days;
  }

  /** What is spent on each of the days: as much as the fate wants, and otherwise less than every limit. */
  private scaled({ limits, fate }: Spender, days: readonly { ago: number; weight: number }[]): number[] {
    const { random, clock } = this;
    const sum = (some: readonly { weight: number }[]) => some.reduce((total, { weight }) => total + weight, 0);
    const isThisMonth = ({ ago }: { ago: number }) => ago < clock.dayOfMonth;
    const whole = (yuan: number) => Math.round(yuan * UNITS);
    if (fate.kind === "limit") {
      const target = fate.share * (limits[fate.window] ?? 0);
      switch (fate.window) {
        case "budget":
          return closed(
            days.map(({ weight }) => whole((target / sum(days)) * weight)),
            whole(target),
            () => true,
          );
        case "monthly_limit": {
          const scale = target / sum(days.filter(isThisMonth));
          const units = days.map((day) => whole(scale * day.weight * (isThisMonth(day) ? 1 : 0.6)));
          return closed(units, whole(target), (i) => isThisMonth(days[i] ?? { ago: DAYS }));
        }
        case "daily_limit":
          return days.map(({ ago, weight }) =>
            whole(ago === 0 ? target : Math.min(0.97, 0.4 * weight) * (limits.daily_limit ?? 0)),
          );
      }
    }
    const months = [days.filter(isThisMonth), days.filter((day) => !isThisMonth(day))];
    const greatest = Math.max(0.01, ...days.map(({ weight }) => weight));
    const wanted = limits.budget ? limits.budget * (0.1 + 0.5 * random.share()) : random.whole(40, 900);
    const scale = Math.min(
      wanted / DAYS,
      ...(limits.budget ? [(0.7 * limits.budget) / Math.max(0.01, sum(days))] : []),
      ...(limits.daily_limit ? [(0.75 * limits.daily_limit) / greatest] : []),
      ...(limits.monthly_limit
        ? months.map((month) => (0.7 * (limits.monthly_limit ?? 0)) / Math.max(0.01, sum(month)))
        : []),
    );
    return days.map(({ weight }) => whole(scale * weight));
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
      request_id: this.requestId(),
      day,
      month: monthOf(day),
      created_at: new Date(at).toISOString(),
      expires_at: new Date((state.state === "held" ? this.clock.now : at) + lasts).toISOString(),
      gateway: this.gateway(),
      ...state,
    });
    return id;
  }

  /** Counts the refusals that follow from the state of a key. */
  private refuse(key: Spender, captures: readonly Capture[], models: readonly string[]): void {
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
          request_id: this.requestId(),
          gateway: this.gateway(),
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

  private requestId(): string | null {
    const { random } = this;
    return random.chance(0.8) ? `call-${random.hex()}${random.hex()}` : null;
  }

  private gateway(): string | null {
    return this.random.chance(0.85) ? this.random.pick(GATEWAYS) : null;
  }
}

/** How many days ago a key that spends every day spent last: its budget was used up some days ago. */
function lastDay(random: Random, fate: Fate, lastAgo: number): number {
  const isUsedUp = fate.kind === "limit" && fate.window === "budget" && fate.share >= 1;
  return isUsedUp ? random.whole(0, 5) : lastAgo;
}

/** The same of a key that spends on few days. What it spends for its limit must not all be spent today. */
function lastOfFew(random: Random, clock: Clock, fate: Fate, lastAgo: number): number {
  if (fate.kind !== "limit" || fate.window === "daily_limit") return lastAgo;
  return fate.window === "budget" ? random.whole(0, DAYS / 2) : random.whole(0, clock.dayOfMonth - 1);
}

/** Splits what is spent on a day into captures. The last one is so much above its hold. */
function split(units: number, parts: number, ago: number, above: number): Capture[] {
  if (units <= 0) return [];
  const count = Math.min(parts, units);
  const each = Math.floor(units / count);
  return Array.from({ length: count }, (_, i) => {
    const isLast = i === count - 1;
    const own = isLast ? units - each * (count - 1) : each;
    return { ago, units: own, overrun: isLast ? Math.min(own - 1, above) : 0 };
  });
}

/** The same amounts, but the last of those that count is such that these are `total` together. */
function closed(units: number[], total: number, counts: (place: number) => boolean): number[] {
  const places = units.map((_, i) => i).filter(counts);
  const last = places.at(-1);
  if (last === undefined) return units;
  const others = places.slice(0, -1).reduce((sum, i) => sum + (units[i] ?? 0), 0);
  return units.map((each, i) => (i === last ? Math.max(1, total - others) : each));
}
