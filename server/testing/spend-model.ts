import type { Refusal } from "../keys/schema";

/** Amounts are whole billionths of a yuan, so they are exact. The model shares no code with the product. */
export type Nano = bigint;

export interface ModelLimits {
  budget: Nano | null;
  daily: Nano | null;
  monthly: Nano | null;
  inputPrice: Nano | null;
  /** Last valid day. */
  expiryDate: string | null;
}

/** What an operator sets for all keys. */
export interface SpendModelRules {
  maxOpenHolds: number;
  /** A capture may be at most so many times its hold, as a fraction. */
  captureFactor: readonly [Nano, Nano] | undefined;
}

/** Yuan per million tokens. */
export interface ModelPrices {
  input: Nano;
  output: Nano;
  cached: Nano;
}

/** A model and an upper estimate of tokens. */
export interface ModelEstimate {
  name: string;
  input: number;
  output: number;
}

/** The tokens of a call. */
export interface ModelUsage {
  input: number;
  /** Part of `input`. */
  cached: number;
  output: number;
}

export interface ModelAuthorization {
  id: string;
  request: string | undefined;
  amount: Nano;
  /** The day on which it was granted. */
  day: string;
  expiresAt: number;
  state: "held" | "captured" | "voided" | "expired";
  captured: Nano | undefined;
  overrun: boolean;
  late: boolean;
  estimate: ModelEstimate | undefined;
  /** Of a call by model: as they were when it was granted. */
  prices: ModelPrices | undefined;
  usage: ModelUsage | undefined;
}

export interface ModelCall {
  amount: Nano;
  /** Undefined: it is asked for by the amount. */
  estimate: ModelEstimate | undefined;
  /** Of the model; undefined where it has none, or where there is no model. */
  prices: ModelPrices | undefined;
  inputPrice: Nano | undefined;
  request: string | undefined;
  ttlSeconds: number;
}

export type ModelVerdict =
  | { verdict: "granted"; day: string; expiresAt: number }
  | { verdict: "replayed"; authorization: ModelAuthorization }
  | { verdict: "used"; state: ModelAuthorization["state"] }
  | { verdict: Refusal };

/** The rules for the limits of one key, written as simply as possible: each answer adds everything up again. */
export class SpendModel {
  limits: ModelLimits = { budget: null, daily: null, monthly: null, inputPrice: null, expiryDate: null };
  isDisabled = false;
  /** The prices of now, by the name of the model. */
  readonly prices = new Map<string, ModelPrices>();
  readonly authorizations: ModelAuthorization[] = [];
  readonly refusals = new Map<string, number>();
  /** The last day on which something was granted, captured, voided or released. */
  lastDay: string | undefined;

  constructor(
    /** Milliseconds since 1970. */
    public time: number,
    public zone: string,
    private readonly rules: SpendModelRules,
  ) {}

  /** Today, in the account's zone. */
  today(): string {
    return new Intl.DateTimeFormat("sv-SE", { timeZone: this.zone }).format(this.time);
  }

  /** The day that the key is in. A clock that steps back does not open a day again. */
  day(): string {
    const today = this.today();
    return this.lastDay !== undefined && this.lastDay > today ? this.lastDay : today;
  }

  spent(of: (day: string) => boolean = () => true): Nano {
    return sum(this.authorizations.filter(({ day }) => of(day)).map(({ captured }) => captured ?? 0n));
  }

  /** @param counts which holds count. */
  held(of: (day: string) => boolean = () => true, counts: (hold: ModelAuthorization) => boolean = () => true): Nano {
    const isOf = (each: ModelAuthorization) => each.state === "held" && of(each.day) && counts(each);
    return sum(this.authorizations.filter(isOf).map(({ amount }) => amount));
  }

  openHolds(counts: (hold: ModelAuthorization) => boolean = () => true): number {
    return this.authorizations.filter((each) => each.state === "held" && counts(each)).length;
  }

  left(counts?: (hold: ModelAuthorization) => boolean): {
    budget: Nano | null;
    daily: Nano | null;
    monthly: Nano | null;
  } {
    const day = this.day();
    const isDay = (other: string) => other === day;
    const isMonth = (other: string) => other.slice(0, 7) === day.slice(0, 7);
    const left = (limit: Nano | null, of?: (day: string) => boolean) =>
      limit ? limit - this.spent(of) - this.held(of, counts) : null;
    const { budget, daily, monthly } = this.limits;
    return { budget: left(budget), daily: left(daily, isDay), monthly: left(monthly, isMonth) };
  }

  expire(): void {
    for (const each of this.authorizations) {
      if (each.state !== "held" || each.expiresAt > this.time) continue;
      each.state = "expired";
      this.lastDay = this.day();
    }
  }

  /** The answer that the product must give now. It releases expired holds and changes nothing else. */
  judge(call: ModelCall): ModelVerdict {
    const { amount, request, ttlSeconds } = call;
    this.expire();
    const ofKey = this.obstacleOfKey(call);
    if (ofKey) return { verdict: ofKey };
    const known = this.authorizations.find((each) => request !== undefined && each.request === request);
    if (known?.state === "held") return { verdict: "replayed", authorization: known };
    if (known) return { verdict: "used", state: known.state };
    if (this.openHolds() >= this.rules.maxOpenHolds) return { verdict: "open_holds" };
    const { budget, daily, monthly } = this.left();
    if (budget !== null && amount > budget) return { verdict: "budget" };
    if (daily !== null && amount > daily) return { verdict: "daily_limit" };
    if (monthly !== null && amount > monthly) return { verdict: "monthly_limit" };
    return { verdict: "granted", day: this.day(), expiresAt: this.time + ttlSeconds * 1000 };
  }

  /** A call by model, at the prices of now, or at those of its authorization where it is a repeated request. */
  byModel(estimate: ModelEstimate, request: string | undefined, ttlSeconds: number): ModelCall {
    this.expire();
    const { name, input, output } = estimate;
    const known = this.authorizations.find((each) => request !== undefined && each.request === request);
    const isSame = JSON.stringify(known?.estimate) === JSON.stringify(estimate);
    const prices = known?.state === "held" && isSame ? known.prices : this.prices.get(nameInCatalogue(name));
    if (!prices) return { amount: 0n, estimate, prices, inputPrice: undefined, request, ttlSeconds };
    const inputPrice = prices.input > prices.cached ? prices.input : prices.cached;
    const parts = BigInt(input) * inputPrice + BigInt(output) * prices.output;
    const amount = parts / 1_000_000n + (parts % 1_000_000n > 0n ? 1n : 0n);
    return { amount, estimate, prices, inputPrice, request, ttlSeconds };
  }

  isExpired(): boolean {
    return this.limits.expiryDate !== null && this.limits.expiryDate < this.day();
  }

  /** Why the key itself refuses a call, whatever room it has. */
  obstacleOfKey({ inputPrice, estimate, prices }: ModelCall): Refusal | undefined {
    if (this.isDisabled) return "key_disabled";
    if (this.isExpired()) return "key_expired";
    if (estimate && !prices) return "unknown_model";
    const ceiling = this.limits.inputPrice;
    return ceiling && (inputPrice === undefined || inputPrice > ceiling) ? "input_price_limit" : undefined;
  }

  grant(id: string, { amount, estimate, prices, request, ttlSeconds }: ModelCall): void {
    const day = this.day();
    this.lastDay = day;
    const expiresAt = this.time + ttlSeconds * 1000;
    const open = { state: "held", captured: undefined, usage: undefined, overrun: false, late: false } as const;
    this.authorizations.push({ id, request, amount, estimate, prices, day, expiresAt, ...open });
  }

  refuse(code: Refusal): void {
    const name = `${this.day()} ${code}`;
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
  }

  /** What tokens cost at the prices of an authorization; undefined where it has none. */
  costOf({ prices }: ModelAuthorization, { input, cached, output }: ModelUsage): Nano | undefined {
    if (!prices) return undefined;
    const parts =
      BigInt(input - cached) * prices.input + BigInt(cached) * prices.cached + BigInt(output) * prices.output;
    const [whole, rest] = [parts / 1_000_000n, parts % 1_000_000n];
    return rest > 500_000n || (rest === 500_000n && whole % 2n === 1n) ? whole + 1n : whole;
  }

  /** Whether the capture counts: not when the authorization was settled before. */
  capture(authorization: ModelAuthorization, amount: Nano, usage?: ModelUsage): boolean {
    if (!this.isOpen(authorization)) return false;
    this.lastDay = this.day();
    authorization.late = this.isOver(authorization);
    authorization.overrun = amount > authorization.amount;
    authorization.captured = amount;
    authorization.usage = usage;
    authorization.state = "captured";
    return true;
  }

  /** Whether it can still be captured. */
  isOpen({ state }: ModelAuthorization): boolean {
    return state === "held" || state === "expired";
  }

  /** Whether a capture is above the most that the rules allow for its hold. */
  isTooMuch({ amount }: ModelAuthorization, captured: Nano): boolean {
    const factor = this.rules.captureFactor;
    return factor !== undefined && captured * factor[1] > amount * factor[0];
  }

  void(authorization: ModelAuthorization): void {
    if (authorization.state !== "held") return;
    this.lastDay = this.day();
    authorization.state = this.isOver(authorization) ? "expired" : "voided";
  }

  private isOver({ state, expiresAt }: ModelAuthorization): boolean {
    return state === "expired" || expiresAt <= this.time;
  }
}

/** The name of the model that a call counts for, and of the pattern that has its price. */
export function nameInCatalogue(name: string): string {
  if (name === "alias") return "named";
  return name.startsWith("pattern-") ? "pattern-*" : name;
}

export function toNano(amount: number): Nano {
  return BigInt(amount.toFixed(9).replace(".", ""));
}

/** In the form in which PostgreSQL writes it. */
export function toDecimal(nano: Nano): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, "0");
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

export function sum(amounts: readonly Nano[]): Nano {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
