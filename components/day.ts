// Calendar days, `YYYY-MM-DD`. A day has no time zone.

const DAY_MS = 86_400_000;

/** The day that comes this number of days after `day`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Every day from `from` to `to`, including both. */
export function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}
