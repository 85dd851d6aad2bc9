import type { SavedFilter } from "@/server/saved-filters/schema";

/** Parameters of a list in the API. */
export type ListQuery = Readonly<Record<string, unknown>>;

/** The page of each list. */
const PAGES = { keys: "/keys", history: "/history" } as const;

/** Parameters of the API that have a shorter name in the address of each page. */
const SHORTER: Readonly<Record<keyof typeof PAGES, Readonly<Record<string, string>>>> = {
  keys: { search: "q", group_id: "group" },
  history: { group_id: "group", apikey_id: "key" },
};

/** The list that a saved filter is for. */
function listOf({ keys }: Pick<SavedFilter, "keys">): keyof typeof PAGES {
  return keys === null ? "history" : "keys";
}

/** The address of the list as a saved filter shows it. */
export function addressOf(filter: Pick<SavedFilter, "keys" | "history">): string {
  const list = listOf(filter);
  const query = Object.entries(filter[list] ?? {}).map(([name, value]) => [SHORTER[list][name] ?? name, String(value)]);
  const page = PAGES[list];
  return query.length === 0 ? page : `${page}?${new URLSearchParams(query)}`;
}

/** Whether two queries show the same of a list. */
export function isSame(one: ListQuery, other: ListQuery): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
