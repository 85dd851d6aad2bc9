import { createParser } from "nuqs/server";
import type { z } from "zod";
import { searchGroupsInput } from "@/server/groups/schema";

/** Parses a part of the address by the schema of a parameter. A value that the server would refuse counts as absent. */
export function parseAsParameter<Value extends string>(schema: z.ZodType<Value | undefined>) {
  return createParser<Value>({ parse: (text) => schema.safeParse(text).data ?? null, serialize: String });
}

/** The rule is the same for every list. */
const { page } = searchGroupsInput.shape;

/** Parses the page of a list; the first page is 1. */
export const parseAsPage = createParser({
  parse: (text) => page.safeParse(Number(text)).data ?? null,
  serialize: String,
});
