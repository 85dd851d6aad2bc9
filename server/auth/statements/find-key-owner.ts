import { statement } from "@/server/db/statement";

/** The key that a value was made for: `$1` is the SHA-256 of the value. */
export const FIND_KEY_OWNER = statement<{ account_id: string; key_id: string }>(
  "find-key-owner",
  ["bytea"],
  `
  SELECT account_id, key_id
  FROM key_secret
  WHERE hash = $1`,
);
