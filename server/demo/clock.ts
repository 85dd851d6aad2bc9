/** Where the data ends: the present moment, and today in the zone of the account. */
export interface Present {
  now: Date;
  /** `YYYY-MM-DD`. */
  today: string;
  /** When today began. */
  midnight: Date;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Tells days and moments of the past of an account. A zone that changed its clock is an hour off before that. */
export class Clock {
  readonly now: number;
  readonly today: string;
  private readonly midnight: number;

  constructor({ now, today, midnight }: Present) {
    this.now = now.getTime();
    this.today = today;
    this.midnight = midnight.getTime();
  }

  /** The day that was so many days ago; of a negative number, one to come. */
  day(ago: number): string {
    return new Date(Date.parse(this.today) - ago * DAY).toISOString().slice(0, 10);
  }

  /** How many days ago a moment was, by the days of the account. */
  daysAgo(at: number): number {
    return Math.max(0, Math.ceil((this.midnight - at) / DAY));
  }

  /**
   * A moment of a day.
   * @param share from 0 to 1, of the hours from eight to eight; of today, of those that are over.
   */
  during(ago: number, share: number): number {
    if (ago === 0) return this.midnight + (this.now - this.midnight) * (0.05 + 0.9 * share);
    return this.midnight - ago * DAY + (8 + 12 * share) * HOUR;
  }

  isWeekend(ago: number): boolean {
    return [0, 6].includes(new Date(this.day(ago)).getUTCDay());
  }

  /** The part of today that is over, from 0 to 1. */
  get shareOfToday(): number {
    return Math.min(1, Math.max(0.01, (this.now - this.midnight) / DAY));
  }

  /** How many days of the present month are over, with today. */
  get dayOfMonth(): number {
    return Number(this.today.slice(8));
  }
}

/** The first day of the month of a day. */
export function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}
