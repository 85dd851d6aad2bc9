import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";

/**
 * The keys that authorizations are on: `$1` is the account of each, `$2` its id. `place` is its place in the list, from 1 on.
 * No row for one that does not exist.
 */
export const FIND_KEYS_OF_AUTHORIZATIONS = statement<{ place: number; key_id: string }>(
  "find-keys-of-authorizations",
  ["text[]", "text[]"],
  `
  SELECT asked.place::int AS place, found.key_id
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(account_id, id, place)
  CROSS JOIN LATERAL (
    SELECT *
    FROM "authorization" one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.id
    LIMIT 1
  ) found`,
);
