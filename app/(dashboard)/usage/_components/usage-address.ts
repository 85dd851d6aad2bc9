import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsParameter } from "@/app/_address/parsers";
import { addDays } from "@/components/day";
import { USAGE_BY, usageInput } from "@/server/usage/schema";

export const RANGES = ["7", "30", "90", "month", "own"] as const;

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
};

export type UsageAddress = inferParserType<typeof usageAddress>;

export const loadUsageAddress = createLoader(usageAddress);

/** The first and the last day of the range. @param today `YYYY-MM-DD`, in the zone of the account. */
export function rangeOf({ range, from, to }: UsageAddress, today: string): { from: string; to: string } {
  switch (range) {
    case "own":
      return { from, to };
    case "month":
      return { from: `${today.slice(0, 7)}-01`, to: today };
    default:
      return { from: addDays(today, 1 - Number(range)), to: today };
  }
}

/** The input of the procedure; undefined if the server would refuse the range. */
export function usageInputOf(address: UsageAddress, today: string) {
  const { by, group } = address;
  const input = { ...rangeOf(address, today), by, ...(group !== null && { group_id: group }) };
  return usageInput.safeParse(input).success ? input : undefined;
}
