import { CEILING_NAMES, CEILINGS, type Ceiling, WINDOWS, type Window } from "../limits/schema";
import type { KeyStatus } from "./schema";

// The state of a key, as SQL expressions: when it is valid, what it spent in each window, what is left, and why it is
// refused. Each statement that recognises a caller, lists, filters, checks, previews or authorizes is put together from
// these. They are plain text, so that `pg` and Prisma (`Prisma.raw`) run the same words. Each one reads a row called
// `key`; those that ask for the day or the month also read the row of its account, called `account`.

/**
 * The day that the key is in: today in the account's zone, by the database's clock. A clock that steps back does not
 * open a day again, and neither does a zone further west. See docs/api.md#windows.
 */
export const currentDay = "GREATEST(key.day, (now() AT TIME ZONE account.time_zone)::date)";

/** The first day of the month that the key is in. */
export const currentMonth = `date_trunc('month', ${currentDay})::date`;

/** What a window is made of: amounts in yuan. */
interface WindowState {
  /** The limit. NULL is no limit. */
  limit: string;
  /** What was captured in the window. */
  spent: string;
  /** What the key's counter says is held in the window. It includes holds that expired and are not released yet. */
  counted: string;
  /** What is held in the window, without the holds that expired. */
  held: string;
}

// The counters of a day (a month) stay as they were until the next hold writes them, so a reader takes the counters of a
// day (a month) that is over for 0.
const isOfCurrentDay = `key.day >= ${currentDay}`;
const isOfCurrentMonth = `key.month >= ${currentMonth}`;

export const windows: Record<Window, WindowState> = {
  budget: window("key.budget", "key.spent", "key.held", "true", "true"),
  daily_limit: window("key.daily_limit", "key.day_spent", "key.day_held", isOfCurrentDay, "hold.day = key.day"),
  monthly_limit: window(
    "key.monthly_limit",
    "key.month_spent",
    "key.month_held",
    isOfCurrentMonth,
    "hold.month = key.month",
  ),
};

function window(limit: string, spent: string, held: string, isCurrent: string, isOfWindow: string): WindowState {
  const counted = inWindow(held, isCurrent);
  return {
    limit: `NULLIF(${limit}, 0)`,
    spent: inWindow(spent, isCurrent),
    counted,
    // Only a key with an expired hold pays for the look into its authorizations.
    held: `(CASE WHEN key.held_until <= now() AND ${isCurrent} THEN ${held} - (
        SELECT coalesce(sum(hold.amount), 0) FROM "authorization" hold
        WHERE hold.account_id = key.account_id AND hold.key_id = key.id
          AND hold.state = 'held' AND hold.expires_at <= now() AND ${isOfWindow}
      ) ELSE ${counted} END)`,
  };
}

function inWindow(counter: string, isCurrent: string): string {
  return isCurrent === "true" ? counter : `(CASE WHEN ${isCurrent} THEN ${counter} ELSE 0 END)`;
}

/** What is used of a window, in yuan: spent + held. */
export function used(name: Window): string {
  const { spent, held } = windows[name];
  return `(${spent} + ${held})`;
}

/** What is left of a window, in yuan: limit − spent − held. NULL is no limit. It may be negative. */
export function left(name: Window): string {
  return `(${windows[name].limit} - ${used(name)})`;
}

/** The same for a row that is locked and has no expired hold: its counters say all, so that nothing else is read. */
export function countedLeft(name: Window): string {
  const { limit, spent, counted } = windows[name];
  return `(${limit} - ${spent} - ${counted})`;
}

export const isRevoked = "(key.revoked_at IS NOT NULL)";
export const isDisabled = "(key.disabled_at IS NOT NULL)";
/** A key is valid on its expiry date, to the end of that day. See docs/api.md#expiry. */
export const isExpired = `coalesce(key.expiry_date < ${currentDay}, false)`;

/** Whether a key opens anything at all: it exists, is not disabled and has not expired. See docs/api.md#key-states. */
export const isValid = `(NOT ${isRevoked} AND NOT ${isDisabled} AND NOT ${isExpired})`;

/** Whether what was spent has reached some limit. */
export const isExhausted = someWindow(({ limit, spent }) => `${spent} >= ${limit}`);

/** When a key has which status. See docs/api.md#key-states. */
export const hasStatus: Record<KeyStatus, string> = {
  active: `${isValid} AND NOT ${isExhausted}`,
  disabled: `NOT ${isRevoked} AND ${isDisabled}`,
  expired: `NOT ${isRevoked} AND NOT ${isDisabled} AND ${isExpired}`,
  exhausted: `${isValid} AND ${isExhausted}`,
  revoked: isRevoked,
};

/** Whether what was spent has reached this share of some limit; 0.8 is 80 %. */
export function hasSpentShare(share: number): string {
  return someWindow(({ limit, spent }) => `${spent} >= ${share} * ${limit}`);
}

// A comparison with a limit that is not set is NULL, which must count as "no".
function someWindow(condition: (state: WindowState) => string): string {
  return `((${WINDOWS.map((name) => condition(windows[name])).join(" OR ")}) IS TRUE)`;
}

/**
 * Whether a ceiling refuses a call. The call is a row named `asked`, with `amount` in yuan and the prices in yuan per
 * million tokens. A ceiling of 0 is none. A ceiling refuses an unknown price (NULL).
 */
export function isAboveCeiling(name: Ceiling): string {
  return `coalesce(key.${name} > 0 AND (asked.${CEILINGS[name]} <= key.${name}) IS NOT TRUE, false)`;
}

/**
 * The reasons that do not depend on what is left, in their order, as branches of a CASE. They read a row named `asked`,
 * see `isAboveCeiling`. `key_not_found` is missing: it is for whoever looks the key up.
 */
export const refusalsOfKey = [
  `WHEN ${isDisabled} THEN 'key_disabled'`,
  `WHEN ${isExpired} THEN 'key_expired'`,
  ...CEILING_NAMES.map((name) => `WHEN ${isAboveCeiling(name)} THEN '${name}'`),
].join("\n        ");

/**
 * The reasons that depend on what is left, in their order, as branches of a CASE.
 * @param amount an SQL expression in yuan.
 * @param leftOf gives the SQL expression of what is left of a window.
 */
export function refusalsOfWindows(amount: string, leftOf: (name: Window) => string): string {
  return WINDOWS.map((name) => `WHEN ${amount} > ${leftOf(name)} THEN '${name}'`).join("\n      ");
}
