import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage } from "@/app/_address/parsers";
import { GROUP_SORTS } from "@/server/groups/schema";

/** The part of the address that describes the list of groups: search, order and page. */
export const groupsAddress = {
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(GROUP_SORTS).withDefault("created_at"),
  order: parseAsStringLiteral(["asc", "desc"]).withDefault("desc"),
  page: parseAsPage.withDefault(1),
};

export const loadGroupsAddress = createLoader(groupsAddress);

/** The input of the procedure. Server and browser must use the same, so that the browser finds the prefetched answer. */
export function groupsInput({ q, ...rest }: inferParserType<typeof groupsAddress>) {
  return { ...(q !== "" && { search: q }), ...rest };
}
