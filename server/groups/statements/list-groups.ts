import { statement } from "@/server/db/statement";
import { isRevoked } from "@/server/keys/state";
import type { Group } from "../schema";

/**
 * Every group of an account, `$1`, newest first, with the number of its keys that are not revoked. Which keys count stands
 * in FILTER: as a condition, it would offer PostgreSQL indexes that begin with the account alone.
 */
export const LIST_GROUPS = statement<Group>(
  "list-groups",
  ["text"],
  `
  SELECT
    id,
    name,
    description,
    floor(extract(epoch FROM created_at))::float8 AS created_at,
    floor(extract(epoch FROM updated_at))::float8 AS updated_at,
    (
      SELECT count(*) FILTER (WHERE NOT ${isRevoked})
      FROM api_key key
      WHERE key.account_id = api_key_group.account_id AND key.group_id = api_key_group.id
    )::float8 AS apikey_count
  FROM api_key_group
  WHERE account_id = $1
  ORDER BY api_key_group.created_at DESC, id DESC`,
);
