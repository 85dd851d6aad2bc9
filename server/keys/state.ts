import { beginOf } from "../db/account-row";
import { currentLimit, defaultColumn, isLimitChangeOpen, keptLimit } from "../limits/columns";
import { LIMIT_NAMES, WINDOWS, type Window } from "../limits/schema";
import { type KeyLook, type KeyStatus, NEAR_FROM } from "./schema";

// The state of a key, as SQL expressions: when it is valid, what it spent in each window, and what is left. Each statement
// that recognises a caller, lists, filters, checks, previews or authorizes uses them. Why a call is refused is decided
// from them in server/authorizations/judge.ts. They are plain text, so that `pg` and Prisma (`Prisma.raw`) run the same
// words. An expression reads a row named `key`. If it needs the day, the month or a limit, it also reads the row of the account,
// named `account`, which has `today` (server/db/account-row.ts).

/**
 * The day that the key is in: today in the account's zone. A clock that steps back does not open a day again, and neither
 * does a zone further west. See docs/api.md#windows.
 */
export const currentDay = "GREATEST(key.day, account.today)";

/** The first day of the month of a day. */
export const monthOf = (day: string) => `date_trunc('month', (${day})::timestamp)::date`;

/** The first day of the month that the key is in. */
export const currentMonth = monthOf(currentDay);

/** When the day (the month) of the key ends, in seconds since 1970. See docs/api.md#windows. */
export const dayResetsAt = secondsOfBegin(`${currentDay} + 1`);
export const monthResetsAt = secondsOfBegin(`${currentMonth} + interval '1 month'`);

function secondsOfBegin(day: string): string {
  return `date_part('epoch', ${beginOf(day, "account.time_zone")})`;
}

/** A key is valid on its expiry date, to the end of that day. See docs/api.md#expiry. */
export const isExpired = `coalesce(${currentLimit("expiry_date")} < ${currentDay}, false)`;

/** Whether a hold counts in the counters of the day (of the month) that the key has. `hold` is the name of its row. */
const countsInDay = (hold: string) => `${hold}.day = key.day`;
const countsInMonth = (hold: string) => `${hold}.month = key.month`;

/** Whether an authorization still holds its amount. `hold` is the name of its row. */
export const isOpenHold = (hold: string) => `(${hold}.state = 'held' AND ${hold}.expires_at > now())`;

/** Whether the time of a hold is over, and the counters of the key still include it. */
export const isExpiredHold = (hold: string) => `(${hold}.state = 'held' AND ${hold}.expires_at <= now())`;

/** One window of a key: amounts in yuan. */
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

/** Whether a row `hold` is of the key, for statements that read it beside the row of the key. */
const isHoldOfKey = "hold.account_id = key.account_id AND hold.key_id = key.id";

/** The windows of a key, by the names of their limits. */
export const windows = windowsWithin("true");

/**
 * The windows in a statement for given accounts.
 * @param scope its condition for the rows `hold`, which has the accounts as values (server/db/account-scope.ts).
 */
export function windowsWithin(scope: string): Record<Window, WindowState> {
  // The next call writes the counters of a new day (a new month). Until then the row has the counters of the old one, which
  // a reader must take for 0.
  const isOfCurrentDay = `key.day >= ${currentDay}`;
  const isOfCurrentMonth = `key.month >= ${currentMonth}`;
  const window = (limit: string, spent: string, held: string, isCurrent: string, isOfWindow: string) =>
    windowState(limit, spent, held, isCurrent, `${isOfWindow} AND ${scope}`);
  return {
    budget: window(currentLimit("budget"), "key.spent", "key.held", "true", "true"),
    daily_limit: window(
      currentLimit("daily_limit"),
      "key.day_spent",
      "key.day_held",
      isOfCurrentDay,
      countsInDay("hold"),
    ),
    monthly_limit: window(
      currentLimit("monthly_limit"),
      "key.month_spent",
      "key.month_held",
      isOfCurrentMonth,
      countsInMonth("hold"),
    ),
  };
}

function windowState(limit: string, spent: string, held: string, isCurrent: string, isOfWindow: string): WindowState {
  const counted = inWindow(held, isCurrent);
  return {
    limit: `NULLIF(${limit}, 0)`,
    spent: inWindow(spent, isCurrent),
    counted,
    // Only for a key with an expired hold, PostgreSQL reads its authorizations.
    held: `(CASE WHEN key.held_until <= now() AND ${isCurrent} THEN ${held} - (
        SELECT coalesce(sum(hold.amount), 0) FROM "authorization" hold
        WHERE ${isHoldOfKey} AND ${isExpiredHold("hold")} AND ${isOfWindow}
      ) ELSE ${counted} END)`,
  };
}

/**
 * How many authorizations of a key are open, each of any amount.
 * @param scope as for `windowsWithin`.
 */
export const openHoldsWithin = (scope: string) => ({
  /** What the counter of the key says. It includes holds that expired and are not released yet. */
  counted: "key.open_holds",
  /** Without the holds that expired. */
  held: `(CASE WHEN key.held_until <= now() THEN (
      SELECT count(*)::int FROM "authorization" hold
      WHERE ${isHoldOfKey} AND ${isOpenHold("hold")} AND ${scope}
    ) ELSE key.open_holds END)`,
});

/**
 * When the first open hold of a key ends by itself. It may be earlier, because a hold that was settled still counts for it
 * until it would have ended. NULL: none was ever open.
 * @param scope as for `windowsWithin`.
 */
export const firstHoldEndsWithin = (scope: string) => ({
  /** What the key says, where expired holds are released. */
  counted: "key.held_until",
  /** Without the holds that expired. */
  held: `(CASE WHEN key.held_until <= now() THEN (
      SELECT min(hold.expires_at) FROM "authorization" hold
      WHERE ${isHoldOfKey} AND ${isOpenHold("hold")} AND ${scope}
    ) ELSE key.held_until END)`,
});

function inWindow(counter: string, isCurrent: string): string {
  return isCurrent === "true" ? counter : `(CASE WHEN ${isCurrent} THEN ${counter} ELSE 0 END)`;
}

// An order of many keys needs the same values, and must not work the day out for each key. So these take it as an expression.

const isOfDay = (today: string) => `key.day >= ${today}`;
const isOfMonth = (today: string, month: string) =>
  `key.month >= CASE WHEN key.day > ${today} THEN ${monthOf("key.day")} ELSE ${month} END`;

/** `windows.daily_limit.spent`. @param today today in the account's zone. */
export const spentToday = (today: string) => inWindow("key.day_spent", isOfDay(today));

/** `windows.monthly_limit.spent`. @param month the first day of the month of `today`. */
export const spentThisMonth = (today: string, month: string) => inWindow("key.month_spent", isOfMonth(today, month));

/**
 * The greatest share that is spent of any limit, 1 for a limit that is just reached. NULL: the key has no limit of spend. It is
 * a float, because decimals of equal shares may differ in the last digit.
 * @param change what `limit_change_id` of the account is.
 */
export const shareUsed = (today: string, month: string, change: string) => {
  const isOpen = `key.limit_change_id = ${change}`;
  const kept = WINDOWS.map((name) => `NULLIF(${keptLimit(name)}, 0)`);
  const hasLimit = `CASE WHEN ${isOpen} THEN coalesce(${kept.join(", ")}) IS NOT NULL ELSE NOT key.is_unlimited END`;
  // To divide decimals takes longer than to read the key. So it is done where something was spent.
  const share = (name: Window, counter: string, isCurrent: string) => `CASE WHEN ${isCurrent} THEN
    ${counter} / NULLIF(CASE WHEN ${isOpen} THEN ${keptLimit(name)} ELSE key.${name} END, 0) END`;
  return `(CASE WHEN ${hasLimit} THEN CASE WHEN key.spent > 0 THEN GREATEST(0, ${share("budget", "key.spent", "true")},
      ${share("daily_limit", "key.day_spent", isOfDay(today))},
      ${share("monthly_limit", "key.month_spent", isOfMonth(today, month))})::float8 ELSE 0::float8 END END)`;
};

/** What is used of a window, in yuan: spent + held. */
export function used(name: Window, { spent, held } = windows[name]): string {
  return `(${spent} + ${held})`;
}

/** What is left of a window, in yuan: limit − spent − held. NULL is no limit. It may be negative. */
export function left(name: Window, state = windows[name]): string {
  return `(${state.limit} - ${used(name, state)})`;
}

/** The version of a key as its readers see it. A large change counts when it holds. */
export const version = `(key.version - (${isLimitChangeOpen} IS TRUE)::int)`;

/** Whether an earlier value of a key is still good: a rotation ends it. It reads a row of `earlier_value` named `earlier`. */
export const isValueValid = "(earlier.expires_at IS NULL OR earlier.expires_at > now())";

export const isRevoked = "(key.revoked_at IS NOT NULL)";
/**
 * Whether a key that is looked up by its id is not revoked. PostgreSQL does not see that this is the condition of the
 * indexes of the lists. With `NOT isRevoked` it may take one of those for the look-up, and read all keys of the account.
 */
export const isKept = "((key.revoked_at IS NULL) IS TRUE)";
export const isDisabled = "(key.disabled_at IS NOT NULL)";

/** Whether a key can be used at all: it is not revoked, not disabled and not expired. See docs/api.md#key-states. */
export const isValid = `(NOT ${isRevoked} AND NOT ${isDisabled} AND NOT ${isExpired})`;

/** Whether what was spent in a window has reached its limit, so that it blocks the key. NULL where there is no limit. */
export const isReached = ({ limit, spent }: WindowState) => `${spent} >= ${limit}`;
/** Whether 80 % of the limit of a window is spent, reached or not. NULL where there is no limit. */
const isOver80 = ({ limit, spent }: WindowState) => `${spent} >= ${NEAR_FROM} * ${limit}`;
/** Whether 80 % of the limit of a window is spent, and it is not reached. NULL where there is no limit. */
export const isNear = (state: WindowState) => `(${isOver80(state)} AND NOT ${isReached(state)})`;

/** Whether what was spent has reached some limit. */
export const isExhausted = someWindow(isReached);

/** When a key has which status: each key has one. See docs/api.md#key-states. */
export const hasStatus: Record<KeyStatus, string> = {
  revoked: isRevoked,
  disabled: `NOT ${isRevoked} AND ${isDisabled}`,
  expired: `NOT ${isRevoked} AND NOT ${isDisabled} AND ${isExpired}`,
  exhausted: `${isValid} AND ${isExhausted}`,
  active: `${isValid} AND NOT ${isExhausted}`,
};

/** The status of a key. */
export const status = `CASE ${Object.entries(hasStatus)
  .map(([name, condition]) => `WHEN ${condition} THEN '${name}'`)
  .join(" ")} END`;

/**
 * Whether a key has another limit than the defaults of its group say. A limit without a default does not count. Unset and 0
 * are alike: no limit. See docs/api.md#limits-that-new-keys-start-with.
 * @param group the name of the row of its group.
 */
export function differsFrom(group: string): string {
  const differences = LIMIT_NAMES.map((name) => {
    const expected = `${group}.${defaultColumn(name)}`;
    const current = name === "expiry_date" ? currentLimit(name) : `coalesce(${currentLimit(name)}, 0)`;
    // The limit is compared only where there is a default. PostgreSQL sees that a group without any can be left out first.
    return `(${expected} IS NOT NULL AND ${current} IS DISTINCT FROM ${expected})`;
  });
  return `(${differences.join(" OR ")})`;
}

export const hasLook = looksWithin("true");

/**
 * Which keys a look finds, in a statement for given accounts. See docs/api.md#read-keys.
 *
 * The account of the group is compared with an expression. Otherwise PostgreSQL knows which account it is, and may read all its
 * groups for each key, where it expects few (docs/decisions/plans.md).
 * @param scope its condition for the rows `its_group`, which has the accounts as values (server/db/account-scope.ts).
 */
export function looksWithin(scope: string): Record<KeyLook, string> {
  return {
    over_80: someWindow(isOver80),
    never_used: "key.last_used_at IS NULL",
    idle_30_days: "key.last_used_at < now() - interval '30 days'",
    expiring_7_days: `${currentLimit("expiry_date")} BETWEEN ${currentDay} AND ${currentDay} + 7`,
    unlimited: WINDOWS.map((name) => `${windows[name].limit} IS NULL`).join(" AND "),
    differs_from_group: `EXISTS (SELECT FROM api_key_group its_group
    WHERE its_group.account_id = (key.account_id || '') AND its_group.id = key.group_id AND ${scope}
      AND ${differsFrom("its_group")})`,
  };
}

// A comparison with a limit that is not set is NULL, which must count as "no".
function someWindow(condition: (state: WindowState) => string): string {
  return `((${WINDOWS.map((name) => condition(windows[name])).join(" OR ")}) IS TRUE)`;
}
