import type { HistoryEvent } from "@/server/history/schema";

/** What a change that can be undone was done to. */
export type EventNoun = "key" | "group" | "price";

/** The noun of an event. */
export function nounOf({ action }: Pick<HistoryEvent, "action">): EventNoun {
  if (action.startsWith("models.")) return "price";
  return action.startsWith("group.") ? "group" : "key";
}
