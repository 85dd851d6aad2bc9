import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsPage } from "@/app/_address/parsers";
import { GROUP_SORTS } from "@/server/groups/schema";

/** What the address of the groups' page says: what is looked for, in which order, which page. */
export const groupsAddress = {
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(GROUP_SORTS).withDefault("created_at"),
  order: parseAsStringLiteral(["asc", "desc"]).withDefault("desc"),
  page: parseAsPage.withDefault(1),
};

export const loadGroupsAddress = createLoader(groupsAddress);

/** What the server is asked for; the page's server part and its browser part have to ask the same. */
export function groupsInput({ q, ...rest }: inferParserType<typeof groupsAddress>) {
  return { ...(q !== "" && { search: q }), ...rest };
}
