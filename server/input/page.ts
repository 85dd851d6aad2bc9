import { z } from "zod";
import { expected } from "./expectation";

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 50;
/** No page begins further in than this: counting past millions of rows would make everyone wait. */
const MAX_PAGE = 20_000;

const integer = z.number({ error: expected("number (int)") }).int({ error: "must be a whole number" });

/** Which page of a list, from 1 on. */
export const pageNumber = integer
  .min(1, { error: "must be 1 or more" })
  .max(MAX_PAGE, { error: `must be ${MAX_PAGE} or less` })
  .optional()
  .meta({ description: "Which page, from 1 on. 1 when it is not sent.", examples: [1] });

/** How many elements a page has. */
export const pageSize = integer
  .min(1, { error: "must be 1 or more" })
  .max(MAX_PAGE_SIZE, { error: `must be ${MAX_PAGE_SIZE} or less` })
  .optional()
  .meta({
    description: `How many elements a page has, at most ${MAX_PAGE_SIZE}. ${DEFAULT_PAGE_SIZE} when it is not sent.`,
    examples: [DEFAULT_PAGE_SIZE],
  });

/** What an answer says of the list that it is a page of. */
export const paging = {
  total: z.int().meta({ description: "Number of elements on all pages.", examples: [120], minimum: 0 }),
  page: z.int().meta({ description: "Which page this is.", examples: [1], minimum: 1 }),
  page_size: z.int().meta({ description: "How many elements a full page has.", examples: [50], minimum: 1 }),
};

/** One page of a list, as the database is asked for it. */
export interface Page {
  page: number;
  pageSize: number;
}

/** The page that a request asks for, with its defaults. */
export function requestedPage({
  page = 1,
  page_size = DEFAULT_PAGE_SIZE,
}: {
  page?: number | undefined;
  page_size?: number | undefined;
}): Page {
  return { page, pageSize: page_size };
}
