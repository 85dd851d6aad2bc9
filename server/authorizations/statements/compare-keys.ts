import { isOfAccounts } from "@/server/db/account-scope";
import { runningSince } from "@/server/db/running-since";
import { statement } from "@/server/db/statement";

/** What came of comparing keys. */
export interface ComparisonRow {
  /** Now, in whole seconds since 1970. */
  now: number;
  /** The places of the keys that are not the same, from 1 on; NULL: all are. */
  changed: number[] | null;
}

/** The version of the row of the account of each asked key. */
export const versionOfAccount = `LATERAL (
    SELECT one.xmin AS version FROM account one WHERE one.id = asked.account_id LIMIT 1
  ) account`;

/**
 * Which keys of the accounts `$1` with the ids `$2` are not what the process knows of them: the row of each key of the version
 * `$3`, and that of its account of `$4`. `$5` is since when the PostgreSQL runs that has given these versions.
 *
 * It is apart from the statement that reads keys, because PostgreSQL prepares to compute every column of a statement each time
 * it runs it, also where no row gets that far.
 */
export const COMPARE_KEYS = statement<ComparisonRow>(
  "compare-keys",
  ["text[]", "text[]", "xid[]", "xid[]", "double precision"],
  `
  SELECT
    floor(date_part('epoch', now())) AS now,
    array_agg(asked.place::int) FILTER (
      WHERE (key.version = asked.version AND account.version = asked.account_version
        AND ${runningSince} = $5::float8) IS NOT TRUE
    ) AS changed
  FROM unnest($1::text[], $2::text[], $3::xid[], $4::xid[])
    WITH ORDINALITY AS asked(account_id, key_id, version, account_version, place)
  LEFT JOIN LATERAL (
    SELECT one.xmin AS version
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.key_id
    LIMIT 1
  ) key ON true
  LEFT JOIN ${versionOfAccount} ON true`,
);
