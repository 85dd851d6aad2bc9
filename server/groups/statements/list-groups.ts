import { statement } from "@/server/db/statement";
import type { Group } from "../schema";

/** Every group of an account, `$1`, newest first, with the number of its keys that are not revoked. */
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
    -- See server/groups/count-queries.ts.
    coalesce(((
      SELECT jsonb_object_agg(group_id, keys)
      FROM (
        SELECT group_id, sum(keys) AS keys
        FROM (
          SELECT group_id, keys FROM key_count WHERE account_id = $1
          UNION ALL
          SELECT group_id, keys FROM key_count_change WHERE account_id = $1
        ) part
        GROUP BY group_id
      ) counted
    ) ->> id)::float8, 0) AS apikey_count
  FROM api_key_group
  WHERE account_id = $1
  ORDER BY api_key_group.created_at DESC, id DESC`,
);
