import { validCallers } from "@/server/auth/statements/find-callers";
import { validTokens } from "@/server/auth/statements/find-gateways";
import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import { versionOfAccount } from "./compare-keys";
import { lockedKey } from "./lock-keys";
import { runningSince } from "./read-keys";

/**
 * A setting of a transaction that is `false` when a key is not what the process knows of it. What decides by such knowledge
 * is sent together with what it writes, so each statement that writes reads this first.
 */
const SETTING = "allowance.are_keys_known";

/** The condition to write. True too where nothing was decided by what a process knows. */
export const mayWrite = `current_setting('${SETTING}', true) IS DISTINCT FROM 'false'`;

/** What came of locking known keys and comparing them. */
export interface ComparedRow {
  /** Whether all of them are locked now and are what is known of them. Otherwise this transaction writes nothing. */
  are_known: boolean;
  /** Now, in seconds since 1970 with their fraction. */
  moment: number;
  /** The number of this transaction: the version of each row that it writes. */
  transaction: string;
}

/**
 * Locks the keys of the accounts `$1` with the ids `$2`, without waiting for those that another transaction has locked, and
 * tells whether they are as they were: the row of each key of the version `$3`, and that of its account of `$4`. `$5` is what
 * the process takes for the current second, `$6` since when the PostgreSQL runs that has given these versions, `$7` the version
 * of the operator's prices; NULL: nothing is decided by these.
 *
 * The version of a row is the number of the transaction that wrote it (`xmin`), so any change of a row changes it.
 */
export const LOCK_KNOWN_KEYS = statement<ComparedRow>(
  "lock-known-keys",
  ["text[]", "text[]", "xid[]", "xid[]", "double precision", "double precision", "integer"],
  `
  SELECT set_config('${SETTING}', are_known::text, true)::boolean AS are_known, moment, transaction
  FROM (
    SELECT
      (count(*) = cardinality($1::text[]) AND floor(date_part('epoch', now())) = $5::float8
        AND ${runningSince} = $6::float8
        AND ($7::int IS NULL OR $7::int = (SELECT prices_version FROM operator_catalogue WHERE id = 1))
      ) IS TRUE AS are_known,
      date_part('epoch', now()) AS moment,
      pg_current_xact_id()::xid::text AS transaction
    FROM unnest($1::text[], $2::text[], $3::xid[], $4::xid[]) AS asked(account_id, key_id, version, account_version)
    ${lockedKey("one.xmin AS version", "SKIP LOCKED")}
    CROSS JOIN ${versionOfAccount}
    WHERE key.version = asked.version AND account.version = asked.account_version
  ) locked`,
);

const STOP = `SELECT set_config('${SETTING}', 'false', true) AS setting`;

/**
 * A row where one of the requests has an authorization already: of the accounts `$1`, the keys `$2` and the names of the
 * requests, `$3`. Then this transaction writes nothing, because only new requests are decided by what is known.
 */
export const STOP_FOR_USED_REQUESTS = statement<{ setting: string }>(
  "stop-for-used-requests",
  ["text[]", "text[]", "text[]"],
  `
  ${STOP}
  FROM unnest($1::text[], $2::text[], $3::text[]) AS asked(account_id, key_id, request_id)
  CROSS JOIN LATERAL (
    SELECT one.id
    FROM "authorization" one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id
      AND one.key_id = asked.key_id AND one.request_id = asked.request_id
    LIMIT 1
  ) found
  LIMIT 1`,
);

/**
 * A row where one of the values does not open a default key, or not any more: of the accounts `$1`, the keys `$2` and the
 * SHA-256 of the values, `$3`. Then this transaction writes nothing, because it would decide for who has no right to it.
 */
export const STOP_FOR_INVALID_CALLERS = statement<{ setting: string }>(
  "stop-for-invalid-callers",
  ["text[]", "text[]", "bytea[]"],
  `
  ${STOP}
  WHERE (SELECT count(*) ${validCallers} AND key.is_default) < cardinality($3::bytea[])`,
);

/** The same of gateways' tokens: `$1` is the SHA-256 of each. */
export const STOP_FOR_INVALID_TOKENS = statement<{ setting: string }>(
  "stop-for-invalid-tokens",
  ["bytea[]"],
  `
  ${STOP}
  WHERE (SELECT count(*) ${validTokens}) < cardinality($1::bytea[])`,
);
