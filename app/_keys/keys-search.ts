import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { DEFAULT_PAGE_SIZE, parseAsPageSize } from "@/app/_address/page-size";
import { parseAsPage } from "@/app/_address/parsers";
import { type ExportKeysInput, KEY_LOOKS, KEY_SORTS, KEY_STATUSES, type ListKeysInput } from "@/server/keys/schema";

/** The part of the address that describes the table of keys. */
export const keysSearch = {
  q: parseAsString.withDefault(""),
  /** The id of a group, or "none". */
  group: parseAsString.withDefault(""),
  status: parseAsStringLiteral(KEY_STATUSES),
  look: parseAsStringLiteral(KEY_LOOKS),
  sort: parseAsStringLiteral(KEY_SORTS).withDefault("created_at"),
  order: parseAsStringLiteral(["asc", "desc"] as const).withDefault("desc"),
  page: parseAsPage.withDefault(1),
  size: parseAsPageSize,
};

export type KeysSearch = inferParserType<typeof keysSearch>;

export const loadKeysSearch = createLoader(keysSearch);

/** The filter in the parameters of the API. @param groupId replaces the group of the address. */
export function filterOf({ q, group, status, look }: KeysSearch, groupId?: string) {
  const chosen = groupId ?? group;
  return {
    ...(q !== "" && { search: q }),
    ...(chosen !== "" && { group_id: chosen }),
    ...(status && { status }),
    ...(look && { look }),
  } satisfies ListKeysInput;
}

/** Whether the address hides any key. */
export function isFiltered(search: KeysSearch, groupId?: string): boolean {
  return Object.keys(filterOf({ ...search, ...(groupId !== undefined && { group: "" }) })).length > 0;
}

/** The page of keys that the address asks for. */
export function listInput(search: KeysSearch, groupId?: string): ListKeysInput {
  const { sort, order, page, size } = search;
  return { ...filterOf(search, groupId), sort, order, page, page_size: size ?? DEFAULT_PAGE_SIZE };
}

/** Filter and order of the table, for a file of its keys in the same order. */
export function exportInput(search: KeysSearch, groupId?: string) {
  const { sort, order } = search;
  return { ...filterOf(search, groupId), sort, order } satisfies ExportKeysInput;
}
