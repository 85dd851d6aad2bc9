import { createLoader, createParser, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { addDays } from "@/components/day";
import { USAGE_BY, usageInput } from "@/server/usage/schema";

export const RANGES = ["7", "30", "90", "month", "own"] as const;

export type Range = (typeof RANGES)[number];

/** What is no id of a group counts as none. */
const parseAsGroup = createParser({
  parse: (text) => usageInput.shape.group_id.safeParse(text).data ?? null,
  serialize: String,
});

/** What the address bar says of the page. */
export const usageAddress = {
  range: parseAsStringLiteral(RANGES).withDefault("30"),
  /** Of a range of one's own, `YYYY-MM-DD`. */
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  by: parseAsStringLiteral(USAGE_BY).withDefault("group"),
  group: parseAsGroup,
  view: parseAsStringLiteral(["chart", "table"] as const).withDefault("chart"),
};

export type UsageAddress = inferParserType<typeof usageAddress>;

export const loadUsageAddress = createLoader(usageAddress);

/** First and last day that are asked for. @param today in the zone of the account. */
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

/** What the server is asked for; undefined where it would refuse the range. */
export function usageInputOf(address: UsageAddress, today: string) {
  const { by, group } = address;
  const input = { ...rangeOf(address, today), by, ...(group !== null && { group_id: group }) };
  return usageInput.safeParse(input).success ? input : undefined;
}
