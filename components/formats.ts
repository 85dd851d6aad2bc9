import { dateTimeFormat, numberFormat, relativeTimeFormat } from "./formatters";

/** Formats amounts and times for one language and time zone. */
export interface Formats {
  /** Yuan, `¥1,234.5678`: no decimals, or two to four. */
  amount(yuan: number): string;
  /** Writes each of these amounts with equally many decimals, as many as one of them needs: for a column of a table. */
  aligned(yuans: readonly number[]): (yuan: number) => string;
  /** The same for the amount of a single call: below ¥0.1 with all decimals, because the first ones may be 0. */
  callAmount(yuan: number): string;
  /** Yuan with all decimals, at most nine. */
  exactAmount(yuan: number): string;
  /** Yuan to read at a glance: whole from 1,000 on, two decimals from 1 on. */
  roundAmount(yuan: number): string;
  /** A share from 0 to 1: `12.5%`. */
  share(part: number): string;
  /** A change in shares: `+12%`, `−3%`. */
  change(part: number): string;
  /** A whole number with group separators. */
  count(number: number): string;
  /** A number with all decimals, at most nine. */
  decimal(number: number): string;
  /** A calendar day, from `YYYY-MM-DD`. It has no time zone. */
  date(day: string): string;
  /** A calendar day without its year, in short form. */
  shortDate(day: string): string;
  /**
   * Day and time to the minute. The options add seconds and the name of the zone, which also stands where clocks that are
   * put back show the time twice.
   */
  moment(at: Moment, options?: { withZone?: boolean; withSeconds?: boolean }): string;
  /** "3 minutes ago", "in 2 days". Days are those of the calendar: what was yesterday there is "yesterday". */
  relative(at: Moment): string;
  /** Whole seconds, in the largest unit that divides them: "15 minutes". */
  duration(seconds: number): string;
  /** Today's calendar day, `YYYY-MM-DD`. */
  today(): string;
}

/** A moment, or whole seconds since 1970, as the API counts them. */
type Moment = Date | number;

const STEPS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** By how much a clock is put back, in ms: on Lord Howe Island, nearly everywhere, at the station Troll. */
const SET_BACK_MS = [1_800_000, 3_600_000, 7_200_000];
const DAY_MS = 86_400_000;

const SHOWN_DECIMALS = 4;
const ALL_DECIMALS = 9;
const SMALLEST_SHOWN = 0.0001;
const WHOLLY_SHOWN_BELOW = 0.1;
const ROUNDED_FROM = 1_000;

const TOO_SMALL = `<\u00a0¥${SMALLEST_SHOWN}`;

function isTiny(yuan: number): boolean {
  return yuan > 0 && yuan < SMALLEST_SHOWN;
}

/** None for whole yuan, or two to four. */
function neededDecimals(yuan: number): number {
  const [, decimals = ""] = String(Number(yuan.toFixed(SHOWN_DECIMALS))).split(".");
  return isTiny(yuan) ? SHOWN_DECIMALS : decimals === "" ? 0 : Math.max(2, decimals.length);
}

/** @param now the moment that relative times refer to. */
export function createFormats(language: string, timeZone: string, now: Date): Formats {
  const written = (yuan: number, decimals: number) => {
    const digits = Number.isInteger(Number(yuan.toFixed(decimals))) ? 0 : 2;
    const number = numberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: decimals });
    return `${yuan < 0 ? "−" : ""}¥${number.format(Math.abs(yuan))}`;
  };
  // It is added by hand: Chinese dates would have it between the day and the time.
  const zoneName = (at: Date) =>
    dateTimeFormat(language, { timeZone, timeZoneName: "short" })
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  const amount = (yuan: number) => (isTiny(yuan) ? TOO_SMALL : written(yuan, SHOWN_DECIMALS));
  // Swedish dates have the form of ISO 8601.
  const dayOf = (at: Date) => dateTimeFormat("sv-SE", { timeZone }).format(at);
  return {
    amount,
    aligned(yuans) {
      const decimals = Math.max(0, ...yuans.map(neededDecimals));
      const number = numberFormat(language, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      });
      return (yuan) => (isTiny(yuan) ? TOO_SMALL : `${yuan < 0 ? "−" : ""}¥${number.format(Math.abs(yuan))}`);
    },
    callAmount: (yuan) => written(yuan, Math.abs(yuan) < WHOLLY_SHOWN_BELOW ? ALL_DECIMALS : SHOWN_DECIMALS),
    exactAmount: (yuan) => written(yuan, ALL_DECIMALS),
    roundAmount: (yuan) =>
      Math.abs(yuan) < 1 ? amount(yuan) : written(Number(yuan.toFixed(Math.abs(yuan) < ROUNDED_FROM ? 2 : 0)), 2),
    share: (part) => numberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(part),
    change: (part) =>
      numberFormat(language, {
        style: "percent",
        maximumFractionDigits: 0,
        signDisplay: "exceptZero",
      }).format(part),
    count: (number) => numberFormat(language, {}).format(number),
    decimal: (number) => numberFormat(language, { maximumFractionDigits: ALL_DECIMALS }).format(number),
    date: (day) =>
      dateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`)),
    shortDate: (day) =>
      dateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" }).format(
        new Date(`${day}T00:00:00Z`),
      ),
    moment(at, { withZone = false, withSeconds = false } = {}) {
      const date = dateOf(at);
      const format = dateTimeFormat(language, {
        year: "numeric",
        month: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        timeZone,
        ...(withSeconds && { second: "2-digit" }),
      });
      const time = format.format(date);
      const isTwice = SET_BACK_MS.some((by) => [by, -by].some((away) => format.format(date.getTime() + away) === time));
      return withZone || isTwice ? `${time} ${zoneName(date)}` : time;
    },
    relative(at) {
      const seconds = (dateOf(at).getTime() - now.getTime()) / 1000;
      const days = (Date.parse(dayOf(dateOf(at))) - Date.parse(dayOf(now))) / DAY_MS;
      // A day of the calendar may have 25 hours, so what is 24 hours away may be today.
      const step = STEPS.find(([unit, length]) => Math.abs(seconds) >= length && (unit !== "day" || days !== 0));
      const [unit, length] = step ?? ["second", Number.POSITIVE_INFINITY];
      const count = unit === "day" ? days : Math.trunc(seconds / length);
      // "Last month" is one of the calendar too, and 40 days ago may be in the month before it.
      const isLong = unit === "week" || unit === "month" || unit === "year";
      return spaced(relativeTimeFormat(language, { numeric: isLong ? "always" : "auto" }).format(count, unit));
    },
    duration(seconds) {
      const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS[3];
      return spaced(numberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size));
    },
    today: () => dayOf(now),
  };
}

/** A space between a number and a Chinese unit, as in the sentences of the messages. */
function spaced(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/u, "$1 ");
}

function dateOf(at: Moment): Date {
  return typeof at === "number" ? new Date(at * 1000) : at;
}
