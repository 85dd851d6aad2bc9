import { roundAmount } from "../limits/amount";
import type { DayRange } from "../usage/spans";

/** Where an account is in its month. Moments are seconds since 1970, days are `YYYY-MM-DD` in the zone of the account. */
export interface Calendar {
  today: string;
  now: number;
  month_starts_at: number;
  /** When the next month begins. */
  month_ends_at: number;
}

/** The days that the spend of an account is compared over, both included, and the last day of the month. */
export interface ComparedDays {
  today: DayRange;
  yesterday: DayRange;
  /** Up to today. */
  this_month: DayRange;
  /** Up to the day that has the number of today, or to the last day where the month is shorter. */
  last_month_same_days: DayRange;
  last_month: DayRange;
  lastOfMonth: string;
}

const DAY_MS = 86_400_000;

/** The day that comes this number of days after `day`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The days to compare, seen from today. */
export function comparedDays(today: string): ComparedDays {
  const yesterday = addDays(today, -1);
  const firstOfMonth = `${today.slice(0, 8)}01`;
  const lastOfLastMonth = addDays(firstOfMonth, -1);
  const firstOfLastMonth = `${lastOfLastMonth.slice(0, 8)}01`;
  const same = addDays(firstOfLastMonth, Number(today.slice(8)) - 1);
  const inNextMonth = addDays(firstOfMonth, 31);
  return {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    this_month: { from: firstOfMonth, to: today },
    last_month_same_days: { from: firstOfLastMonth, to: same < lastOfLastMonth ? same : lastOfLastMonth },
    last_month: { from: firstOfLastMonth, to: lastOfLastMonth },
    lastOfMonth: addDays(`${inNextMonth.slice(0, 8)}01`, -1),
  };
}

/**
 * What a month will have cost at its end, in yuan, if it goes on as it went so far: what is spent, divided by the part of
 * the month that is over. `null` on the first day, because a few hours say nothing of a month.
 */
export function projectMonth(spent: number, { today, now, month_starts_at, month_ends_at }: Calendar): number | null {
  if (today.endsWith("-01")) return null;
  const share = (now - month_starts_at) / (month_ends_at - month_starts_at);
  // The clock of a database may step back across a midnight, and no month ends below what is spent already.
  if (share <= 0) return null;
  return roundAmount(spent / Math.min(share, 1));
}
