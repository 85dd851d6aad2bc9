import { createParser } from "nuqs/server";
import type { z } from "zod";
import { searchGroupsInput } from "@/server/groups/schema";

/** Parses a part of the address by the schema of a parameter. A value that the server would refuse counts as absent. */
export function parseAsParameter<Value extends string>(schema: z.ZodType<Value | undefined>) {
  return createParser<Value>({ parse: (text) => schema.safeParse(text).data ?? null, serialize: String });
}

/** The rule is the same for every list. */
const { page } = searchGroupsInput.shape;
const LAST = page.unwrap().maxValue ?? 1;

/** Parses the page of a list; the first page is 1. */
export const parseAsPage = createParser({
  // Behind the last page that there can be is the last page too.
  parse: (text) => page.safeParse(Math.min(Number(text), LAST)).data ?? null,
  serialize: String,
});
