/** Days in the zone of the account, `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** Some days that have a total of their own in the table `spend_span`. */
export interface Span {
  /** How many days: one of `SPAN_DAYS`. */
  days: number;
  /** The first day, `YYYY-MM-DD`. */
  first: string;
}

/** The lengths of spans, the longest first. A span begins at a multiple of its length, counted in days from 1970-01-01. */
export const SPAN_DAYS = [25, 5, 1] as const;

const DAY_MS = 86_400_000;

/** The fewest spans, in order, that together have each day of a range once. */
export function spansOf({ from, to }: DayRange): Span[] {
  const last = Date.parse(to) / DAY_MS;
  const spans: Span[] = [];
  for (let day = Date.parse(from) / DAY_MS; day <= last; ) {
    const first = day;
    const days = SPAN_DAYS.find((length) => first % length === 0 && first + length - 1 <= last) ?? 1;
    spans.push({ days, first: new Date(first * DAY_MS).toISOString().slice(0, 10) });
    day += days;
  }
  return spans;
}
