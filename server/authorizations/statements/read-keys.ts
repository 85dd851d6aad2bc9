import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import {
  currentDay,
  firstHoldEndsWithin,
  isDisabled,
  isRevoked,
  isValueValid,
  onDay,
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
  /** Only what decides on a hold has these. */
  must_release: boolean;
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

const { month, isExpired, dayResetsAt, monthResetsAt } = onDay("account.day_of_key");
const windows = windowsWithin(isOfAccounts("hold", "$1"), "account.day_of_key");
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

const readKeys = (held: "counted" | "held") => `
  SELECT
    asked.place::int AS place,
    key.id AS key_id,
    ${isRevoked} AS is_revoked,
    account.disabled_at IS NOT NULL AS is_account_disabled,
    ${isDisabled} AS is_disabled,
    ${isExpired} AS is_expired,
    coalesce(key.held_until <= now(), false) AS must_release,
    CASE WHEN asked.by_value THEN (
      SELECT string_agg(encode(hash, 'base64'), ' ')
      FROM key_secret secret
      WHERE ${isOfAccounts("secret", "$1")} AND secret.account_id = asked.account_id AND secret.key_id = asked.key_id AND ${isValueValid}
    ) END AS value_hashes,
    ${CEILING_NAMES.map((name) => `NULLIF(${currentLimit(name)}, 0) AS ${name}`).join(",\n    ")},
    ${openHolds[held]} AS open_holds,
    ${windowColumns(held)},
    account.day_of_key::text AS day,
    ${month}::text AS month,
    floor(date_part('epoch', now())) AS now,
    ${dayResetsAt} AS day_resets_at,
    ${monthResetsAt} AS month_resets_at,
    ceil(date_part('epoch', ${firstHoldEnds[held]})) AS hold_ends_at
  FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS asked(account_id, key_id, by_value, place)
  CROSS JOIN LATERAL (
    SELECT *
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.key_id
    LIMIT 1
  ) key
  CROSS JOIN LATERAL (
    -- LIMIT keeps this apart, so that the day is worked out once for a key.
    SELECT account.time_zone, account.limit_change_id, account.disabled_at, ${currentDay} AS day_of_key
    FROM account
    WHERE account.id = asked.account_id
    LIMIT 1
  ) account`;

/**
 * Keys whose rows are locked: `$1` their accounts, `$2` their ids, `$3` whether the hashes of their values are needed. What
 * is held is what the counters say.
 */
export const READ_LOCKED_KEYS = statement<KeyRow>(
  "read-locked-keys",
  ["text[]", "text[]", "boolean[]"],
  readKeys("counted"),
);

/** The same of keys that are not locked. Holds that have expired count no more, also where they are not released yet. */
export const READ_KEYS = statement<KeyRow>("read-keys", ["text[]", "text[]", "boolean[]"], readKeys("held"));
