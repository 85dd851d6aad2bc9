import { createLoader, type inferParserType, parseAsString } from "nuqs/server";
import { parseAsPage, parseAsParameter } from "@/app/_address/parsers";
import { listEventsInput } from "@/server/history/schema";

const { shape } = listEventsInput;

export const ACTIONS = shape.action.unwrap().options;
export const ACTORS = shape.actor.unwrap().options;

/** The part of the address that describes the history: the filters and the page. */
export const historyAddress = {
  action: parseAsParameter(shape.action),
  actor: parseAsParameter(shape.actor),
  key: parseAsString.withDefault(""),
  group: parseAsParameter(shape.group_id),
  from: parseAsParameter(shape.from),
  to: parseAsParameter(shape.to),
  page: parseAsPage.withDefault(1),
};

export type HistoryAddress = inferParserType<typeof historyAddress>;

export const loadHistoryAddress = createLoader(historyAddress);

/** The input of the procedure. Server and browser must use the same, so that the browser finds the prefetched answer. */
export function eventsInput({ action, actor, key, group, from, to, page }: HistoryAddress) {
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(key !== "" && { apikey_id: key }),
    ...(group && { group_id: group }),
    ...(from && { from }),
    ...(to && { to }),
    page,
  };
}

/** Whether the address hides any change. */
export function isNarrowed({ page: _, ...filters }: HistoryAddress): boolean {
  return Object.values(filters).some(Boolean);
}
