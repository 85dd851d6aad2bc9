import { statement } from "@/server/db/statement";

/**
 * The keys that values were made for: `$1` is the SHA-256 of each value. No row for a value that is not known. This is the
 * one look-up that starts without an account; it reads one row for each hash, wherever that is.
 */
export const FIND_ROUTES = statement<{ hash: Buffer; account_id: string; key_id: string }>(
  "find-routes",
  ["bytea[]"],
  `
  SELECT hash, account_id, key_id
  FROM key_route
  WHERE hash = ANY($1::bytea[])`,
);
