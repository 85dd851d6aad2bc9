import { today } from "@/server/db/account-row";
import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { isValid, isValueValid } from "@/server/keys/state";

/**
 * `FROM` and `WHERE`: the valid keys that values open. `$1` is the account of each value, `$2` its key, `$3` its SHA-256. No row
 * for a value that is not valid, or whose key is not, or whose account is disabled. Only a value that does not stand in the row
 * of its key is looked for among the earlier ones.
 *
 * `LATERAL … LIMIT 1` is a look-up of one row. Whether the row is valid is asked behind it: as a part of the look-up,
 * `revoked_at IS NULL` would offer PostgreSQL the indexes of the lists, which begin with the account alone.
 */
export const validCallers = `
  FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS asked(account_id, key_id, hash, place)
  CROSS JOIN LATERAL (
    SELECT *
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.key_id
    LIMIT 1
  ) key
  LEFT JOIN LATERAL (
    SELECT *
    FROM earlier_value one
    WHERE key.value_hash IS DISTINCT FROM asked.hash
      AND ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.hash = asked.hash
    LIMIT 1
  ) earlier ON true
  CROSS JOIN LATERAL (SELECT *, ${today} AS today FROM account one WHERE one.id = asked.account_id LIMIT 1) account
  WHERE (key.value_hash = asked.hash OR (earlier.key_id = key.id AND ${isValueValid})) AND ${isValid} AND account.disabled_at IS NULL`;

/** Which of these values open a valid key. `place` is the place of the value in the list, from 1 on. */
export const FIND_CALLERS = statement<{
  place: number;
  is_default: boolean;
  /** Whether the value ends by itself, because the key was rotated. */
  is_in_grace: boolean;
}>(
  "find-callers",
  ["text[]", "text[]", "bytea[]"],
  `SELECT asked.place::int AS place, key.is_default, earlier.expires_at IS NOT NULL AS is_in_grace${validCallers}`,
);
