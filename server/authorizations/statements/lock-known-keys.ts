import { isOfAccounts } from "@/server/db/account-scope";
import { runningSince } from "@/server/db/running-since";
import { statement } from "@/server/db/statement";
import { STOP, writesOnlyIf } from "@/server/db/write-stop";
import { versionOfAccount } from "./compare-keys";
import { lockedKey } from "./lock-keys";

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
  SELECT ${writesOnlyIf("are_known")} AS are_known, moment, transaction
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
