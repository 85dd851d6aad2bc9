import { statement } from "@/server/db/statement";
import { newKeyEventExpressions } from "@/server/history/recording";

/**
 * Inserts a key, its event, and the hash of its value. One statement, because creating a key is on the hot path: Prisma
 * would need a transaction of four. `npm run bench` shows the difference. It answers with no rows.
 */
export const insertKey = statement<never>(
  "insert-key",
  [
    "text", // $1 account
    "text", // $2 id of the key
    "text", // $3 name
    "text", // $4 group
    "numeric", // $5 budget
    "date", // $6 expiry_date
    "numeric", // $7 daily_limit
    "numeric", // $8 monthly_limit
    "numeric", // $9 input_price_limit
    "numeric", // $10 output_price_limit
    "bytea", // $11 SHA-256 of the key value
    "text", // $12 id of the event
    "text", // $13 kind of the actor
    "text", // $14 name of the actor
    "text", // $15 IP address of the request
    "jsonb", // $16 values after
  ],
  // key: the constraints refuse an id that is taken and a group that does not exist.
  // new_event, new_event_key: the history of this key begins here.
  // The hash comes last, from `key`: it refers to the new row.
  `WITH key AS (
      INSERT INTO api_key (
        account_id, id, name, group_id,
        budget, expiry_date, daily_limit, monthly_limit, input_price_limit, output_price_limit
      )
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      RETURNING account_id, id, name
    ), ${newKeyEventExpressions({
      accountId: "$1",
      groupId: "$4",
      eventId: "$12",
      actorKind: "$13",
      actorName: "$14",
      address: "$15",
      after: "$16",
    })}
    INSERT INTO key_secret (hash, account_id, key_id)
    SELECT $11, account_id, id
    FROM key`,
);
