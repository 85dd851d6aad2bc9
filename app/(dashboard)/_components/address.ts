import { createParser } from "nuqs/server";
import { searchGroupsInput } from "../../../server/groups/schema";

/** Every list has the same rule for its page. */
const { page } = searchGroupsInput.shape;

/** Which page of a list the address names; what the server would refuse counts as none. */
export const parseAsPage = createParser({
  parse: (text) => page.safeParse(Number(text)).data ?? null,
  serialize: String,
});
