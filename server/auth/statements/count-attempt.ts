import { statement } from "@/server/db/statement";

/**
 * Counts one more attempt, and returns the count and when it began (milliseconds since 1970). `$1` is the id of a new
 * row, `$2` what is counted, `$3` now, `$4` the moment before which a count is over; both in milliseconds since 1970.
 */
export const COUNT_ATTEMPT = statement<{ count: number; begun: string }>(
  "count-attempt",
  ["text", "text", "bigint", "bigint"],
  `
  INSERT INTO rate_limit AS kept (id, key, count, last_request)
  VALUES ($1, $2, 1, $3)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN kept.last_request <= $4 THEN 1 ELSE least(kept.count, 1000000) + 1 END,
    last_request = CASE WHEN kept.last_request <= $4 THEN $3 ELSE kept.last_request END
  RETURNING count, last_request AS begun`,
);
