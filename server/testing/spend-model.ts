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
}

export interface ModelCall {
  amount: Nano;
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

  held(of: (day: string) => boolean = () => true): Nano {
    return sum(this.authorizations.filter(({ day, state }) => state === "held" && of(day)).map(({ amount }) => amount));
  }

  openHolds(): number {
    return this.authorizations.filter(({ state }) => state === "held").length;
  }

  left(): { budget: Nano | null; daily: Nano | null; monthly: Nano | null } {
    const day = this.day();
    const isDay = (other: string) => other === day;
    const isMonth = (other: string) => other.slice(0, 7) === day.slice(0, 7);
    const left = (limit: Nano | null, of?: (day: string) => boolean) =>
      limit ? limit - this.spent(of) - this.held(of) : null;
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

  /** Why the key itself refuses a call, whatever room it has. */
  obstacleOfKey({ inputPrice }: ModelCall): Refusal | undefined {
    if (this.isDisabled) return "key_disabled";
    if (this.limits.expiryDate !== null && this.limits.expiryDate < this.day()) return "key_expired";
    const ceiling = this.limits.inputPrice;
    return ceiling && (inputPrice === undefined || inputPrice > ceiling) ? "input_price_limit" : undefined;
  }

  grant(id: string, { amount, request, ttlSeconds }: ModelCall): void {
    const day = this.day();
    this.lastDay = day;
    const expiresAt = this.time + ttlSeconds * 1000;
    const open = { state: "held", captured: undefined, overrun: false, late: false } as const;
    this.authorizations.push({ id, request, amount, day, expiresAt, ...open });
  }

  refuse(code: Refusal): void {
    const name = `${this.day()} ${code}`;
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
  }

  /** Whether the capture counts: not when the authorization was settled before. */
  capture(authorization: ModelAuthorization, amount: Nano): boolean {
    if (!this.isOpen(authorization)) return false;
    this.lastDay = this.day();
    authorization.late = this.isOver(authorization);
    authorization.overrun = amount > authorization.amount;
    authorization.captured = amount;
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
