import { statement } from "@/server/db/statement";
import { isValid, isValueValid } from "@/server/keys/state";

/** The valid key that a value opens: `$1` is the SHA-256 of the value. No row when the value or the key is not valid. */
export const FIND_CALLER = statement<{ account_id: string; id: string; is_default: boolean }>(
  "find-caller",
  ["bytea"],
  `
  SELECT key.account_id, key.id, key.is_default
  FROM key_secret secret
  JOIN api_key key ON key.account_id = secret.account_id AND key.id = secret.key_id
  JOIN account ON account.id = key.account_id
  WHERE secret.hash = $1
    AND ${isValueValid}
    AND ${isValid}`,
);
