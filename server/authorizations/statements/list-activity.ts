import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { isExpiredHold } from "@/server/keys/state";
import { ACTIVITY_KINDS, type Activity } from "../activity/schema";

const SETTLED = ACTIVITY_KINDS.filter((kind) => kind !== "refused");

/** Where the activity of the key begins, as the first digits of an id. An id begins with its time in seconds. */
const first = "lpad(to_hex(extract(epoch FROM now() - make_interval(days => $5))::bigint), 8, '0')";
const time = (id: string) => `('x' || left(${id}, 8))::bit(32)::bigint::float8`;

/** The columns of an authorization in the list. @param end when it was settled. */
const authorization = (
  kind: string,
  end: string,
) => `id, '${kind}' AS kind, amount, captured, overrun, late, NULL AS code,
      NULL::numeric AS price, NULL::numeric AS ceiling, request_id, gateway, quote ->> 'model' AS model, usage,
      floor(extract(epoch FROM ${end}))::float8 AS settled_at`;

/** The newest settled authorizations of one state. The state is written out, because the index is a partial one. */
const settled = (state: string) => `(
    SELECT ${authorization(state, "settled_at")}
    FROM "authorization" one
    WHERE coalesce($3 = '${state}', true) AND ${isOfAccounts("one", "$1")} AND one.key_id = $2
      AND one.state = '${state}' AND one.id >= ${first} AND one.id < $4
    ORDER BY id DESC
    LIMIT $6
  )`;

/**
 * The newest of those that have expired and are not released yet: they are open no more, so no other list has them. They are read
 * for a key that may have some, which are no more than may be open at once. OFFSET keeps the range of ids out of the look-up, which
 * would else read what the whole account did in it.
 */
const unreleased = `(
    SELECT ${authorization("expired", "expires_at")}
    FROM unnest($1::text[]) AS asked(account_id)
    CROSS JOIN LATERAL (
      SELECT account_id
      FROM api_key one
      WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = $2 AND one.held_until <= now()
      LIMIT 1
    ) key
    CROSS JOIN LATERAL (
      SELECT one.*
      FROM "authorization" one
      WHERE ${isOfAccounts("one", "$1")} AND one.account_id = key.account_id AND one.key_id = $2
        AND ${isExpiredHold("one")}
      OFFSET 0
    ) ended
    WHERE coalesce($3 = 'expired', true) AND id >= ${first} AND id < $4
    ORDER BY id DESC
    LIMIT $6
  )`;

/**
 * The activity of the key `$2` of the account `$1`, newest first: of the kind `$3`, or of each kind where it is NULL; before
 * the id `$4`; of the last `$5` days; at most `$6` of it. Every part of what is settled or refused walks an index from its end,
 * and stops.
 */
export const LIST_ACTIVITY = statement<Omit<Activity, "authorization_id">>(
  "list-activity",
  ["text[]", "text", "text", "text", "integer", "bigint"],
  `
  SELECT id, kind, ${time("id")} AS at, settled_at, amount::float8 AS amount, captured::float8 AS captured, overrun, late,
    code, price::float8 AS price, ceiling::float8 AS ceiling, request_id, gateway, model, usage
  FROM (
    ${[...SETTLED.map(settled), unreleased].join("\n    UNION ALL ")}
    UNION ALL (
      SELECT refused.*, NULL::float8 AS settled_at
      FROM unnest($1::text[]) AS asked(account_id)
      CROSS JOIN generate_series(-1, CASE WHEN coalesce($3 = 'refused', true) THEN $5 ELSE -2 END) AS ago(days)
      CROSS JOIN LATERAL (
        SELECT id, 'refused' AS kind, amount, NULL::numeric AS captured, false AS overrun, false AS late, code, price, ceiling,
          request_id, gateway, model, NULL::jsonb AS usage
        FROM refusal one
        WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id
          AND one.recorded_on = (now() AT TIME ZONE 'UTC')::date - ago.days AND one.key_id = $2
          AND one.id >= ${first} AND one.id < $4
        ORDER BY id DESC
        LIMIT $6
      ) refused
    )
  ) activity
  ORDER BY id DESC
  LIMIT $6`,
);
