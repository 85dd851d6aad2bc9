import { parseAsNumberLiteral } from "nuqs/server";

/** How many rows a page of a list may have. */
export const PAGE_SIZES = [25, 50, 100] as const;

export type PageSize = (typeof PAGE_SIZES)[number];

export const DEFAULT_PAGE_SIZE: PageSize = 50;

/** Parses the number of rows of a page. Absent: what this browser has chosen, or the default. */
export const parseAsPageSize = parseAsNumberLiteral(PAGE_SIZES);
