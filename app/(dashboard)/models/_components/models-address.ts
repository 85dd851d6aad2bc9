import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { DEFAULT_PAGE_SIZE, parseAsPageSize } from "@/app/_address/page-size";
import { parseAsPage } from "@/app/_address/parsers";
import { MODEL_SORTS, SOURCES } from "@/server/prices/schema";

/** The part of the address that describes the table of prices. */
export const modelsAddress = {
  q: parseAsString.withDefault(""),
  source: parseAsStringLiteral(SOURCES),
  /** Whether only prices that count today show, or all of them. */
  when: parseAsStringLiteral(["today", "all"] as const).withDefault("all"),
  sort: parseAsStringLiteral(MODEL_SORTS).withDefault("name"),
  order: parseAsStringLiteral(["asc", "desc"] as const).withDefault("asc"),
  page: parseAsPage.withDefault(1),
  size: parseAsPageSize,
};

export type ModelsAddress = inferParserType<typeof modelsAddress>;

export const loadModelsAddress = createLoader(modelsAddress);

/** The input of the procedure. Server and browser must use the same, so that the browser finds the prefetched answer. */
export function modelsInput({ q, source, when, sort, order, page, size }: ModelsAddress) {
  return {
    ...(q !== "" && { search: q }),
    ...(source && { source }),
    ...(when === "today" && { day: when }),
    sort,
    order,
    page,
    page_size: size ?? DEFAULT_PAGE_SIZE,
  };
}

/** Whether the address hides any price. */
export function isNarrowed({ q, source, when }: ModelsAddress): boolean {
  return q !== "" || source !== null || when !== "all";
}
