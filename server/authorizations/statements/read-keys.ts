import { today } from "@/server/db/account-row";
import { isOfAccounts } from "@/server/db/account-scope";
import { runningSince } from "@/server/db/running-since";
import { statement } from "@/server/db/statement";
import {
  currentDay,
  currentMonth,
  dayResetsAt,
  firstHoldEndsWithin,
  isDisabled,
  isExpired,
  isRevoked,
  isValueValid,
  monthResetsAt,
  openHoldsWithin,
  windowsWithin,
} from "@/server/keys/state";
import { currentLimit } from "@/server/limits/columns";
import { CEILING_NAMES, type Ceiling, WINDOWS, type Window } from "@/server/limits/schema";

type WindowColumns = { [Name in Window as `${Name}_${"limit" | "spent" | "held"}`]: string | null };

/** A key as it is now. Amounts are decimal numbers as text, which lose nothing. */
export interface KeyRow extends WindowColumns, Record<Ceiling, string | null> {
  /** The place in the arrays, from 1 on. */
  place: number;
  key_id: string;
  is_revoked: boolean;
  is_account_disabled: boolean;
  is_disabled: boolean;
  is_expired: boolean;
  /** Whether the counters may have holds that have expired. */
  must_release: boolean;
  /** The hashes of its values that are good now, in hexadecimal, with spaces between; NULL: they were not asked for. */
  value_hashes: string | null;
  open_holds: number;
  day: string;
  month: string;
  now: number;
  /** When the day, the month and the first open hold end, in whole seconds since 1970. NULL: no hold was ever open. */
  day_resets_at: number;
  month_resets_at: number;
  hold_ends_at: number | null;
}

/** A key with what tells later whether it is still the same. */
export interface VersionedKeyRow extends KeyRow {
  /** The numbers of the transactions that wrote the row of the key and that of its account. */
  version: string;
  account_version: string;
  /** Now, in seconds since 1970 with their fraction. */
  moment: number;
  /** Since when this PostgreSQL runs, in seconds since 1970, as a text. */
  running_since: string;
  /** When the first of its values ends; NULL: none does, or they were not asked for. In seconds since 1970. */
  values_end_at: number | null;
}

/** A key whose row is locked, with its versions. */
export interface LockedKeyRow extends VersionedKeyRow {
  /** The number of this transaction. */
  transaction: string;
}

const windows = windowsWithin(isOfAccounts("hold", "$1"));
const openHolds = openHoldsWithin(isOfAccounts("hold", "$1"));
const firstHoldEnds = firstHoldEndsWithin(isOfAccounts("hold", "$1"));

// Numbers without a fraction come without decimals, so a reader of these columns must not count them.
const windowColumns = (held: "counted" | "held") =>
  WINDOWS.map((name) => {
    const window = windows[name];
    return `${window.limit} AS ${name}_limit,
    ${window.spent} AS ${name}_spent,
    ${window[held]} AS ${name}_held`;
  }).join(",\n    ");

/** What the earlier values of a key that are good now come to together. */
const ofEarlierValues = (aggregate: string) => `(
      SELECT ${aggregate}
      FROM earlier_value earlier
      WHERE ${isOfAccounts("earlier", "$1")} AND earlier.account_id = asked.account_id AND earlier.key_id = asked.key_id AND ${isValueValid}
    )`;

/** The row of each asked key, and that of its account. @param versionOf the column of their versions, after a comma. */
const rowsOfKeys = (versionOf: (row: string) => string) => `
  CROSS JOIN LATERAL (
    SELECT *${versionOf("one")}
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.key_id
    LIMIT 1
  ) key
  CROSS JOIN LATERAL (
    SELECT time_zone, limit_change_id, disabled_at, ${today} AS today${versionOf("account")}
    FROM account
    WHERE account.id = asked.account_id
    LIMIT 1
  ) account`;

const placeAndNow = "asked.place::int AS place, floor(date_part('epoch', now())) AS now";

const stateColumns = (held: "counted" | "held") => `
    key.id AS key_id,
    ${isRevoked} AS is_revoked,
    account.disabled_at IS NOT NULL AS is_account_disabled,
    ${isDisabled} AS is_disabled,
    ${isExpired} AS is_expired,
    coalesce(key.held_until <= now(), false) AS must_release,
    CASE WHEN asked.by_value
      THEN concat_ws(' ', encode(key.value_hash, 'hex'), ${ofEarlierValues("string_agg(encode(hash, 'hex'), ' ')")})
    END AS value_hashes,
    ${CEILING_NAMES.map((name) => `NULLIF(${currentLimit(name)}, 0) AS ${name}`).join(",\n    ")},
    ${openHolds[held]} AS open_holds,
    ${windowColumns(held)},
    ${currentDay}::text AS day,
    ${currentMonth}::text AS month,
    ${dayResetsAt} AS day_resets_at,
    ${monthResetsAt} AS month_resets_at,
    ceil(date_part('epoch', ${firstHoldEnds[held]})) AS hold_ends_at`;

const versionColumns = `
    key.row_version::text AS version,
    account.row_version::text AS account_version,
    date_part('epoch', now()) AS moment,
    ${runningSince}::text AS running_since,
    CASE WHEN asked.by_value THEN ${ofEarlierValues("date_part('epoch', min(earlier.expires_at))")} END AS values_end_at`;

/** On several servers, rows have no versions that could be read. */
const withoutVersion = () => "";
const withVersion = (row: string) => `, ${row}.xmin AS row_version`;

const askedKeys =
  "unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS asked(account_id, key_id, by_value, place)";

/**
 * Keys whose rows are locked: `$1` their accounts, `$2` their ids, `$3` whether the hashes of their values are needed. What
 * is held is what the counters say.
 */
export const READ_LOCKED_KEYS = statement<KeyRow>(
  "read-locked-keys",
  ["text[]", "text[]", "boolean[]"],
  `
  SELECT ${placeAndNow}, ${stateColumns("counted")}
  FROM ${askedKeys}${rowsOfKeys(withoutVersion)}`,
);

/** The same with the versions of their rows. */
export const READ_VERSIONED_KEYS = statement<LockedKeyRow>(
  "read-versioned-keys",
  ["text[]", "text[]", "boolean[]"],
  `
  SELECT ${placeAndNow}, pg_current_xact_id()::xid::text AS transaction, ${versionColumns}, ${stateColumns("counted")}
  FROM ${askedKeys}${rowsOfKeys(withVersion)}`,
);

/** Keys that are not locked. Holds that have expired count no more, also where they are not released yet. */
export const READ_KEYS = statement<KeyRow>(
  "read-keys",
  ["text[]", "text[]", "boolean[]"],
  `
  SELECT ${placeAndNow}, ${stateColumns("held")}
  FROM ${askedKeys}${rowsOfKeys(withoutVersion)}`,
);

/** The same with the versions of their rows. */
export const READ_CHECKED_KEYS = statement<VersionedKeyRow>(
  "read-checked-keys",
  ["text[]", "text[]", "boolean[]"],
  `
  SELECT ${placeAndNow}, ${versionColumns}, ${stateColumns("held")}
  FROM ${askedKeys}${rowsOfKeys(withVersion)}`,
);
