import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { KEY_LOOKS, KEY_SORTS, KEY_STATUSES, type ListKeysInput } from "@/server/keys/schema";

/** What the address bar says of the table of keys. */
export const keysSearch = {
  q: parseAsString.withDefault(""),
  /** The id of a group, or "none". */
  group: parseAsString.withDefault(""),
  status: parseAsStringLiteral(KEY_STATUSES),
  look: parseAsStringLiteral(KEY_LOOKS),
  sort: parseAsStringLiteral(KEY_SORTS).withDefault("created_at"),
  order: parseAsStringLiteral(["asc", "desc"] as const).withDefault("desc"),
  page: parseAsInteger.withDefault(1),
};

export type KeysSearch = inferParserType<typeof keysSearch>;

export const loadKeysSearch = createLoader(keysSearch);

export const PAGE_SIZE = 50;

/** What to look for, in the words of the API. @param groupId fixes the group, whatever the address says. */
export function filterOf({ q, group, status, look }: KeysSearch, groupId?: string) {
  const chosen = groupId ?? group;
  return {
    ...(q !== "" && { search: q }),
    ...(chosen !== "" && { group_id: chosen }),
    ...(status && { status }),
    ...(look && { look }),
  } satisfies ListKeysInput;
}

/** The page of keys that the address asks for. */
export function listInput(search: KeysSearch, groupId?: string): ListKeysInput {
  const { sort, order, page } = search;
  return { ...filterOf(search, groupId), sort, order, page: Math.max(page, 1), page_size: PAGE_SIZE };
}
