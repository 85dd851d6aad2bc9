import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { newKeysEventExpressions } from "@/server/history/recording";
import { columnType } from "@/server/limits/columns";
import { LIMIT_NAMES } from "@/server/limits/schema";

/** The columns of a key that is to be inserted, each with the type of its parameter: a list with a value for each key. */
const COLUMNS = [
  ["account_id", "text"],
  ["id", "text"],
  ["name", "text"],
  ["group_id", "text"],
  ["hash", "bytea"], // SHA-256 of the key value
  ["event_id", "text"],
  ["actor", "text"],
  ["actor_name", "text"],
  ["address", "text"], // IP address of the request
  ["after", "jsonb"], // the values after, for the event
  ...LIMIT_NAMES.map((name) => [name, columnType(name)] as const),
] as const;

const PARAMETERS = COLUMNS.map(([, type]) => `${type}[]`);

/**
 * Inserts keys of any accounts, the event of each, and the hash of its value, all or nothing. It leaves out a key whose
 * group does not exist or is locked by a change of the group, so that no key waits for the group of another one.
 * @returns the places of the inserted keys in the lists, from 1 on.
 */
export const INSERT_KEYS = statement<{ place: number }>(
  "insert-keys",
  PARAMETERS,
  insertion("FOR KEY SHARE SKIP LOCKED", "WHERE asked.group_id IS NULL OR its_group.name IS NOT NULL"),
);

/** The same without leaving any out: it waits for a locked group, and a constraint refuses a group that does not exist. */
export const INSERT_KEYS_WAITING = statement<{ place: number }>("insert-keys-waiting", PARAMETERS, insertion("", ""));

function insertion(lock: string, condition: string): string {
  return `
  WITH asked AS MATERIALIZED (
    SELECT asked.*, its_group.name AS group_name
    FROM unnest(${PARAMETERS.map((type, i) => `$${i + 1}::${type}`).join(", ")})
      WITH ORDINALITY AS asked(${COLUMNS.map(([name]) => name).join(", ")}, place)
    LEFT JOIN LATERAL (
      SELECT one.name
      FROM api_key_group one
      WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.group_id
      LIMIT 1
      ${lock}
    ) its_group ON true
    ${condition}
  ), new_key AS (
    -- The constraints refuse an id that is taken, and a group that is deleted meanwhile.
    INSERT INTO api_key (account_id, id, name, group_id, ${LIMIT_NAMES.join(", ")})
    SELECT account_id, id, name, group_id, ${LIMIT_NAMES.join(", ")}
    FROM asked
  ), ${newKeysEventExpressions}, new_route AS (
    INSERT INTO key_route (hash, account_id, key_id)
    SELECT hash, account_id, id
    FROM asked
  ), new_secret AS (
    INSERT INTO key_secret (hash, account_id, key_id)
    SELECT hash, account_id, id
    FROM asked
  )
  SELECT place::int AS place
  FROM asked`;
}
