import { statement } from "@/server/db/statement";

/** The key that an authorization is on: `$1` is the account, `$2` the id. */
export const FIND_KEY_OF_AUTHORIZATION = statement<{ key_id: string }>(
  "find-key-of-authorization",
  ["text", "text"],
  `
  SELECT key_id
  FROM "authorization"
  WHERE account_id = $1 AND id = $2`,
);
