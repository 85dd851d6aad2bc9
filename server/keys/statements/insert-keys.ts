import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { newKeysEventExpressions } from "@/server/history/recording";
import { columnType, defaultColumn } from "@/server/limits/columns";
import { LIMIT_NAMES, type Limits } from "@/server/limits/schema";

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
  ["sent", "jsonb"], // the values after, for the event, without those that come from the group
  ["takes_defaults", "boolean"], // whether an unset limit takes the default of the group; null: as the group says
  ...LIMIT_NAMES.map((name) => [name, columnType(name)] as const),
] as const;

const PARAMETERS = COLUMNS.map(([, type]) => `${type}[]`);

/** The limits that a key takes from its group `one`: the defaults of those that it has not been given. */
const TAKEN = `jsonb_strip_nulls(jsonb_build_object(${LIMIT_NAMES.map((name) => {
  const column = `one.${defaultColumn(name)}`;
  const value = columnType(name) === "numeric" ? `${column}::float8` : `${column}::text`;
  return `'${name}', CASE WHEN asked.${name} IS NULL THEN ${value} END`;
}).join(", ")}))`;

/** One key that was inserted. */
export interface InsertedKey {
  /** Its place in the lists, from 1 on. */
  place: number;
  /** The limits that it has from its group; null: it takes none. */
  taken: Partial<Limits> | null;
}

/** The group of each asked key, and the limits that the key takes from it. @param lock how its row is locked. */
const itsGroup = (lock: string) => `LEFT JOIN LATERAL (
      SELECT one.name, CASE WHEN coalesce(asked.takes_defaults, one.apply_defaults) THEN ${TAKEN} END AS taken
      FROM api_key_group one
      WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.group_id
      LIMIT 1
      ${lock}
    ) its_group ON true`;

/**
 * Inserts keys of any accounts, the event of each, and the route of its value, all or nothing. It leaves out a key whose
 * group does not exist or is locked by a change of the group, so that no key waits for the group of another one.
 */
export const INSERT_KEYS = statement<InsertedKey>(
  "insert-keys",
  PARAMETERS,
  insertion(
    `${itsGroup("FOR KEY SHARE SKIP LOCKED")}
    WHERE asked.group_id IS NULL OR its_group.name IS NOT NULL`,
  ),
);

/** The same without leaving any out: it waits for a locked group, and a constraint refuses a group that does not exist. */
export const INSERT_KEYS_WAITING = statement<InsertedKey>("insert-keys-waiting", PARAMETERS, insertion(itsGroup("")));

/** For keys of which none has a group, on one server: to look for what is not there takes a tenth of the statement. */
export const INSERT_KEYS_UNGROUPED = statement<InsertedKey>(
  "insert-keys-ungrouped",
  PARAMETERS,
  insertion("CROSS JOIN (VALUES (NULL::text, NULL::jsonb)) its_group(name, taken)"),
);

function limitOf(name: (typeof LIMIT_NAMES)[number]): string {
  return `coalesce(${name}, (taken ->> '${name}')::${columnType(name)})`;
}

/** @param groups joins `its_group` to the rows of `asked`, and may leave some out. */
function insertion(groups: string): string {
  return `
  WITH asked AS MATERIALIZED (
    SELECT asked.*, its_group.name AS group_name, taken,
      CASE WHEN taken IS NULL THEN sent ELSE sent || taken END AS after
    FROM unnest(${PARAMETERS.map((type, i) => `$${i + 1}::${type}`).join(", ")})
      WITH ORDINALITY AS asked(${COLUMNS.map(([name]) => name).join(", ")}, place)
    ${groups}
  ), new_key AS (
    -- The constraints refuse an id that is taken, and a group that is deleted meanwhile.
    INSERT INTO api_key (account_id, id, name, group_id, value_hash, ${LIMIT_NAMES.join(", ")})
    SELECT account_id, id, name, group_id, hash, ${LIMIT_NAMES.map(limitOf).join(", ")}
    FROM asked
  ), ${newKeysEventExpressions}, new_route AS (
    INSERT INTO key_route (hash, account_id, key_id)
    SELECT hash, account_id, id
    FROM asked
  )
  SELECT place::int AS place, taken
  FROM asked`;
}
