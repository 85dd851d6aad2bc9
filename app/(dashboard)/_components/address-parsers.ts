import { createParser } from "nuqs/server";
import type { z } from "zod";
import { searchGroupsInput } from "@/server/groups/schema";

/** A part of the address that the server would accept as this parameter; what it would refuse counts as absent. */
export function parseAsParameter<Value extends string>(schema: z.ZodType<Value | undefined>) {
  return createParser<Value>({ parse: (text) => schema.safeParse(text).data ?? null, serialize: String });
}

/** Every list has the same rule for its page. */
const { page } = searchGroupsInput.shape;

/** Which page of a list the address names. */
export const parseAsPage = createParser({
  parse: (text) => page.safeParse(Number(text)).data ?? null,
  serialize: String,
});
