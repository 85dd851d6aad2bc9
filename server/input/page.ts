import { z } from "zod";
import { list } from "./answer";
import { expectedOneOf } from "./expectation";
import { withThousands } from "./thousands";
import { wholeNumber } from "./whole-number";

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 50;
/** The last page of a list. There is a limit, because the database counts all rows before a page to reach it. */
const MAX_PAGE = 20_000;

/** How far the elements of a list are counted where counting takes long. */
export const COUNT_LIMIT = 100_000;

/** Parameter: which page of a list, from 1 on. */
export const pageNumber = wholeNumber
  .min(1, { error: "must be 1 or more" })
  .max(MAX_PAGE, { error: `must be ${MAX_PAGE} or less` })
  .optional()
  .meta({ description: "Which page, from 1 on. 1 when it is not sent.", examples: [1] });

/** Parameter: how many elements a page has. */
export const pageSize = wholeNumber
  .min(1, { error: "must be 1 or more" })
  .max(MAX_PAGE_SIZE, { error: `must be ${MAX_PAGE_SIZE} or less` })
  .optional()
  .meta({
    description: `How many elements a page has, at most ${MAX_PAGE_SIZE}. ${DEFAULT_PAGE_SIZE} when it is not sent.`,
    examples: [DEFAULT_PAGE_SIZE],
  });

const SORT_ORDERS = ["asc", "desc"] as const;

/** Parameter: in which direction a list is ordered. */
export const sortOrder = z
  .enum(SORT_ORDERS, { error: expectedOneOf(SORT_ORDERS) })
  .optional()
  .meta({ description: "`desc` when it is not sent.", examples: ["asc"] });

/** The schema of an answer that is a page of a list. `description` describes its elements. */
export function pageOf<Element extends z.ZodType>(element: Element, description: string) {
  return z.object({
    object: list,
    data: z.array(element).meta({ description }),
    total: z.int().meta({ description: "Number of elements on all pages.", examples: [1], minimum: 0 }),
    total_is_exact: z.boolean().meta({
      description: `\`false\`: there are more elements than \`total\`, because counting stops at ${withThousands(COUNT_LIMIT)}.`,
      examples: [true],
    }),
    page: z.int().meta({ description: "Which page this is.", examples: [1], minimum: 1 }),
    page_size: z.int().meta({ description: "How many elements a full page has.", examples: [50], minimum: 1 }),
  });
}

/** A page of a list, for a query. */
export interface Page {
  page: number;
  pageSize: number;
}

/** The page that a request asks for, with its defaults. */
export function requestedPage({
  page = 1,
  page_size: pageSize = DEFAULT_PAGE_SIZE,
}: {
  page?: number | undefined;
  page_size?: number | undefined;
}): Page {
  return { page, pageSize };
}

/** A page of a list that was found. */
export interface FoundPage<Element> {
  data: Element[];
  /** How many elements all pages have. */
  total: number;
  /** False: there are more. Absent: the total is exact. */
  isTotalExact?: boolean;
}

/** The answer with a page of a list. */
export function pageAnswer<Element>(
  { data, total, isTotalExact = true }: FoundPage<Element>,
  { page, pageSize }: Page,
) {
  return { object: "list" as const, data, total, total_is_exact: isTotalExact, page, page_size: pageSize };
}
