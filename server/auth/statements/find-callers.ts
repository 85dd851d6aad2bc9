import { today } from "@/server/db/account-row";
import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { isValid, isValueValid } from "@/server/keys/state";

/**
 * The valid keys that values open: `$1` is the account of each value, `$2` its SHA-256. `place` is the place of the hash in
 * the list, from 1 on. No row for a value that is not valid, or whose key is not, or whose account is disabled.
 *
 * `LATERAL … LIMIT 1` is a look-up of one row. Whether the row is valid is asked behind it: as a part of the look-up,
 * `revoked_at IS NULL` would offer PostgreSQL the indexes of the lists, which begin with the account alone.
 */
export const FIND_CALLERS = statement<{
  place: number;
  is_default: boolean;
  /** Whether the value ends by itself, because the key was rotated. */
  is_in_grace: boolean;
}>(
  "find-callers",
  ["text[]", "bytea[]"],
  `
  SELECT asked.place::int AS place, key.is_default, secret.expires_at IS NOT NULL AS is_in_grace
  FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked(account_id, hash, place)
  CROSS JOIN LATERAL (
    SELECT *
    FROM key_secret one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.hash = asked.hash
    LIMIT 1
  ) secret
  CROSS JOIN LATERAL (
    SELECT *
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = secret.key_id
    LIMIT 1
  ) key
  CROSS JOIN LATERAL (SELECT *, ${today} AS today FROM account one WHERE one.id = asked.account_id LIMIT 1) account
  WHERE ${isValueValid} AND ${isValid} AND account.disabled_at IS NULL`,
);
