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
  judge({ amount, inputPrice, request, ttlSeconds }: ModelCall): ModelVerdict {
    this.expire();
    const known = this.authorizations.find((each) => request !== undefined && each.request === request);
    if (known) return { verdict: "replayed", authorization: known };
    if (this.isDisabled) return { verdict: "key_disabled" };
    if (this.limits.expiryDate !== null && this.limits.expiryDate < this.day()) return { verdict: "key_expired" };
    const ceiling = this.limits.inputPrice;
    if (ceiling && (inputPrice === undefined || inputPrice > ceiling)) return { verdict: "input_price_limit" };
    const { budget, daily, monthly } = this.left();
    if (budget !== null && amount > budget) return { verdict: "budget" };
    if (daily !== null && amount > daily) return { verdict: "daily_limit" };
    if (monthly !== null && amount > monthly) return { verdict: "monthly_limit" };
    return { verdict: "granted", day: this.day(), expiresAt: this.time + ttlSeconds * 1000 };
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
    if (authorization.state !== "held" && authorization.state !== "expired") return false;
    this.lastDay = this.day();
    authorization.late = this.isOver(authorization);
    authorization.overrun = amount > authorization.amount;
    authorization.captured = amount;
    authorization.state = "captured";
    return true;
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
