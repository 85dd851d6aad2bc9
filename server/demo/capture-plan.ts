import type { Refusal } from "../keys/schema";
import type { Limits } from "../limits/schema";
import type { Units } from "../limits/units";
import type { Clock } from "./clock";
import type { Fate } from "./fates";
import type { Random } from "./random";

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

/** What is to be spent is counted in ten-thousandths of a yuan. */
export const UNITS = 10_000;
/** The exact amount of so many of them. */
export const exactly = (units: number): Units => BigInt(units) * 100_000n;

/** A part of a day that one authorization takes. */
export interface Capture {
  ago: number;
  units: number;
  overrun: number;
}

/** Decides when keys spend, and how much: within their limits, unless it is their fate. */
export class CapturePlan {
  private spenders = 0;

  constructor(
    private readonly random: Random,
    private readonly clock: Clock,
  ) {}

  /** What a key captures, in the order of the days. */
  capturesOf(key: Spender): Capture[] {
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
