import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage, parseAsParameter } from "@/app/_address/parsers";
import { addDays } from "@/components/day";
import { TOTAL_SORTS, USAGE_BY, usageInput } from "@/server/usage/schema";

export const RANGES = ["today", "7", "30", "90", "month", "last-month", "own"] as const;

export type Range = (typeof RANGES)[number];

/** The part of the address that describes the page of usage. */
export const usageAddress = {
  range: parseAsStringLiteral(RANGES).withDefault("30"),
  /** First and last day of the range `own`, `YYYY-MM-DD`. */
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  by: parseAsStringLiteral(USAGE_BY).withDefault("group"),
  group: parseAsParameter(usageInput.shape.group_id),
  view: parseAsStringLiteral(["chart", "table"] as const).withDefault("chart"),
  /** Search, order and page of the list of all groups or keys. */
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(TOTAL_SORTS).withDefault("spent"),
  order: parseAsStringLiteral(["asc", "desc"]).withDefault("desc"),
  page: parseAsPage.withDefault(1),
};

export type UsageAddress = inferParserType<typeof usageAddress>;

/** Some days, `YYYY-MM-DD`, both included. */
export interface Days {
  from: string;
  to: string;
}

/** The first and the last day of the range. @param today `YYYY-MM-DD`, in the zone of the account. */
export function rangeOf({ range, from, to }: Pick<UsageAddress, "range" | "from" | "to">, today: string): Days {
  switch (range) {
    case "own":
      return { from, to };
    case "today":
      return { from: today, to: today };
    case "month":
      return { from: firstOfMonth(today), to: today };
    case "last-month": {
      const to = addDays(firstOfMonth(today), -1);
      return { from: firstOfMonth(to), to };
    }
    default:
      return { from: addDays(today, 1 - Number(range)), to: today };
  }
}

/** The same days of the month before, for the range of this month. A month that is shorter has fewer days. */
export function monthBefore({ range }: Pick<UsageAddress, "range">, today: string): Days | undefined {
  if (range !== "month") return undefined;
  const last = addDays(firstOfMonth(today), -1);
  const sameDay = `${last.slice(0, 7)}-${today.slice(8)}`;
  return { from: firstOfMonth(last), to: sameDay < last ? sameDay : last };
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The input of the procedure of the chart; undefined if the server would refuse the range. */
export function usageInputOf({ by, group, ...address }: UsageAddress, today: string) {
  return usageOfDays({ by, group }, rangeOf(address, today));
}

/** The same for other days. */
export function usageOfDays({ by, group }: Pick<UsageAddress, "by" | "group">, days: Days) {
  const input = { ...days, by, ...(group !== null && { group_id: group }) };
  return usageInput.safeParse(input).success ? input : undefined;
}

/** The input of the list of all groups, keys or models. @param usage that of the chart, for the same days. */
export function totalsInputOf(
  { q, sort, order, page }: UsageAddress,
  usage: NonNullable<ReturnType<typeof usageInputOf>>,
) {
  return { ...usage, ...(q !== "" && { search: q }), sort, order, page };
}
