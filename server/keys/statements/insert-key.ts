import { statement } from "@/server/db/statement";
import { newKeyEventExpressions } from "@/server/history/recording";
import { columnType } from "@/server/limits/columns";
import { LIMIT_NAMES } from "@/server/limits/schema";

const FIRST_LIMIT = 11;

/**
 * Inserts a key, its event, and the hash of its value. One statement, because creating a key is on the hot path: Prisma
 * would need a transaction of four. `npm run bench` shows the difference. It answers with no rows.
 */
export const INSERT_KEY = statement<Record<string, never>>(
  "insert-key",
  [
    "text", // $1 account
    "text", // $2 id of the key
    "text", // $3 name
    "text", // $4 group
    "bytea", // $5 SHA-256 of the key value
    "text", // $6 id of the event
    "text", // $7 kind of the actor
    "text", // $8 name of the actor
    "text", // $9 IP address of the request
    "jsonb", // $10 values after
    ...LIMIT_NAMES.map(columnType), // from $11 on, in the order of LIMIT_NAMES
  ],
  `
  WITH key AS (
    -- The constraints refuse an id that is taken and a group that does not exist.
    INSERT INTO api_key (account_id, id, name, group_id, ${LIMIT_NAMES.join(", ")})
    VALUES ($1, $2, $3, $4, ${LIMIT_NAMES.map((_, i) => `$${FIRST_LIMIT + i}`).join(", ")})
    RETURNING account_id, id, name
  ), ${newKeyEventExpressions({
    accountId: "$1",
    groupId: "$4",
    eventId: "$6",
    actorKind: "$7",
    actorName: "$8",
    address: "$9",
    after: "$10",
  })}
  -- The hash comes last, because it refers to the new row.
  INSERT INTO key_secret (hash, account_id, key_id)
  SELECT $5, account_id, id
  FROM key`,
);
