import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage, parseAsParameter } from "@/app/_address/parsers";
import { addDays } from "@/components/day";
import { listEventsInput } from "@/server/history/schema";

const { shape } = listEventsInput;

export const ACTIONS = shape.action.unwrap().options;
export const ACTORS = shape.actor.unwrap().options;

/** Spans of days that move with today, and `own`: from one day to another. */
export const RANGES = ["today", "yesterday", "7", "30", "month", "last_month", "own"] as const;

/** The part of the address that describes the history: the filters and the page. */
export const historyAddress = {
  search: parseAsParameter(shape.search),
  action: parseAsParameter(shape.action),
  actor: parseAsParameter(shape.actor),
  key: parseAsString.withDefault(""),
  group: parseAsParameter(shape.group_id),
  range: parseAsStringLiteral(RANGES),
  from: parseAsParameter(shape.from),
  to: parseAsParameter(shape.to),
  page: parseAsPage.withDefault(1),
};

export type HistoryAddress = inferParserType<typeof historyAddress>;

export const loadHistoryAddress = createLoader(historyAddress);

/** The first and the last day of the events. @param today `YYYY-MM-DD`, in the zone of the account. */
export function daysOf(
  { range, from, to }: Pick<HistoryAddress, "range" | "from" | "to">,
  today: string,
): { from?: string; to?: string } {
  const thisMonth = `${today.slice(0, 7)}-01`;
  const lastOfLastMonth = addDays(thisMonth, -1);
  switch (range) {
    case "today":
      return { from: today, to: today };
    case "yesterday":
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case "7":
    case "30":
      return { from: addDays(today, 1 - Number(range)), to: today };
    case "month":
      return { from: thisMonth, to: today };
    case "last_month":
      return { from: `${lastOfLastMonth.slice(0, 7)}-01`, to: lastOfLastMonth };
    default:
      return { ...(from && { from }), ...(to && { to }) };
  }
}

/**
 * The input of the procedure. Server and browser must use the same, so that the browser finds the prefetched answer.
 * @param today `YYYY-MM-DD`, in the zone of the account.
 */
export function eventsInput(address: HistoryAddress, today: string) {
  const { search, action, actor, key, group, page } = address;
  return {
    ...(search && { search }),
    ...(action && { action }),
    ...(actor && { actor }),
    ...(key !== "" && { apikey_id: key }),
    ...(group && { group_id: group }),
    ...daysOf(address, today),
    page,
  };
}

/**
 * What is searched for. The reader may paste the whole value of a key, which must not stand in an address: its id does, which
 * is no secret.
 */
export function searchText(typed: string): string {
  const text = typed.trim();
  return KEY_VALUE.test(text) && !/^[0-9a-f]{24}$/i.test(text) ? text.slice(0, KEY_ID_LENGTH) : text;
}

/** The id of a key is the beginning of its value. */
const KEY_ID_LENGTH = 10;
/** A key value, or so much of one that it is no id any more. */
const KEY_VALUE = /^\S{3}[0-9A-Za-z]{13,}$/;

/** Whether the address hides any change. */
export function isNarrowed({ page: _, range, ...filters }: HistoryAddress): boolean {
  return (range !== null && range !== "own") || Object.values(filters).some(Boolean);
}
