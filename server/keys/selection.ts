import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { joinAccount, today } from "../db/account-row";
import { isOfAccount, isOfOneAccount } from "../db/account-scope";
import { isLimitChangeOpen, limitSelection } from "../limits/columns";
import { WINDOWS, type Window } from "../limits/schema";
import type { KeyLook, KeyStatus } from "./schema";
import {
  dayResetsAt,
  hasStatus,
  isDisabled,
  isExhausted,
  isExpired,
  isNear,
  isReached,
  isRevoked,
  left,
  looksWithin,
  monthOf,
  monthResetsAt,
  status,
  used,
  version,
  windowsWithin,
} from "./state";

/**
 * Whether a row `key` is in a group. Only the index of the keys of groups finds such rows: to a PostgreSQL that does not know
 * the account, the primary key with the account alone would look as good.
 * @param groupId the id, or the column of another row that has it.
 */
export function isInGroup(accountId: AccountId, groupId: string | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${isOfAccount("key", accountId)} AND key.group_id = ${groupId}`;
}

/** Whether a row `key` is one of some keys. */
export function isOneOf(accountId: AccountId, ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`key.account_id = ${accountId} AND key.id = ANY(${ids})`;
}

/**
 * The condition of a look, of the rows `key`. What it reads of the account are sub-selects, which PostgreSQL works out once.
 * With the row of the account joined, it would sort all keys first, and ask the condition of each afterwards.
 */
export function isOfLook(accountId: AccountId, look: KeyLook): Prisma.Sql {
  return ofAccount(accountId, `(${readingAccountOnce(looks[look])})`);
}

/** The condition of a status, of the rows `key` alone, in the same way. */
export function isOfStatus(accountId: AccountId, name: KeyStatus): Prisma.Sql {
  return name === "active" ? isActive(accountId) : ofAccount(accountId, readingAccountOnce(hasStatus[name]));
}

/**
 * A condition that an index answers and that each key of the status or look fulfils. It finds the few keys of which the
 * exact condition must be asked. Absent: there is no such index, or most keys fulfil it.
 */
export function mayBe(accountId: AccountId, name: KeyStatus | KeyLook): Prisma.Sql | undefined {
  const day = ofAccount(accountId, TODAY);
  switch (name) {
    case "exhausted":
    case "over_80":
      return mayBeNearLimit(day);
    case "expired":
      return mayBeExpired(day);
    case "expiring_7_days":
      // For a key of a later day, because the clock stepped back, the 7 days end later: by a month at most.
      return Prisma.sql`key.valid_until BETWEEN ${day} AND ${day} + 38`;
    case "unlimited":
      return Prisma.sql`key.is_unlimited`;
    default:
      return undefined;
  }
}

/** Keys of which a limit may be near on a day: candidates, which the exact condition judges. @param day today in the zone of the account. */
export const mayBeNearLimit = (day: Prisma.Sql) => Prisma.sql`key.near_limit_until >= ${day}`;
const mayBeExpired = (day: Prisma.Sql) => Prisma.sql`key.valid_until < ${day}`;

/**
 * Of most keys, the stored days say that they are neither expired nor exhausted. So the exact conditions, which take longer,
 * are not asked of each.
 */
function isActive(accountId: AccountId): Prisma.Sql {
  const day = ofAccount(accountId, TODAY);
  const exactly = (condition: string) => ofAccount(accountId, readingAccountOnce(condition));
  // The stored days are those of the columns, whose limits do not hold yet while a large change is under way.
  const unless = (candidates: Prisma.Sql, condition: string) => Prisma.sql`
    NOT ((coalesce(${candidates}, false) OR ${exactly(isLimitChangeOpen)} IS TRUE) AND ${exactly(condition)})`;
  return Prisma.sql`NOT ${Prisma.raw(isRevoked)} AND NOT ${Prisma.raw(isDisabled)}
    AND ${unless(mayBeExpired(day), isExpired)} AND ${unless(mayBeNearLimit(day), isExhausted)}`;
}

/** Stands in a text for the account, which becomes a parameter of the statement. */
const ACCOUNT = ":account";
// Sub-selects, so that PostgreSQL works these out once, and not for each key.
const ofRow = (value: string) => `(SELECT ${value} FROM account WHERE id = ${ACCOUNT})`;
export const TODAY = ofRow(today);
export const MONTH = ofRow(monthOf(today));
/** What `limit_change_id` of the account is. */
export const CHANGE = ofRow("limit_change_id");
const readingAccountOnce = (text: string) =>
  text.replaceAll("account.today", TODAY).replaceAll("account.limit_change_id", CHANGE);
const windows = windowsWithin(isOfOneAccount("hold", ACCOUNT));
const looks = looksWithin(isOfOneAccount("its_group", ACCOUNT));

/** The text with the account as a parameter. */
export function ofAccount(accountId: AccountId, text: string): Prisma.Sql {
  const [first = "", ...rest] = text.split(ACCOUNT);
  return rest.reduce((sql, part) => Prisma.sql`${sql}${accountId}${Prisma.raw(part)}`, Prisma.raw(first));
}

/** The version of the rows `key`, as their readers see it. */
export function versionSeen(accountId: AccountId): Prisma.Sql {
  return ofAccount(accountId, readingAccountOnce(version));
}

/** What is used of a window by keys of the account, in yuan. */
export function usedOf(accountId: AccountId, name: Window): Prisma.Sql {
  return ofAccount(accountId, used(name, windows[name]));
}

/** The limits that block a key, and those that are near. */
const LIMITS_REACHED = `${namesOf((name) => isReached(windows[name]))} AS blocked_by,
  ${namesOf((name) => isNear(windows[name]))} AS near_limits`;

function namesOf(condition: (name: Window) => string): string {
  return `array_remove(ARRAY[${WINDOWS.map((name) => `CASE WHEN ${condition(name)} THEN '${name}' END`).join(", ")}], NULL)`;
}

/** What a key spent and has left: yuan, moments in whole seconds since 1970. */
const SPENDING = `key.spent::float8 AS spent,
  ${windows.daily_limit.spent}::float8 AS spent_today,
  ${windows.monthly_limit.spent}::float8 AS spent_this_month,
  ${windows.budget.held}::float8 AS held,
  jsonb_build_object(
    'budget', ${left("budget", windows.budget)}::float8,
    'daily', ${left("daily_limit", windows.daily_limit)}::float8,
    'monthly', ${left("monthly_limit", windows.monthly_limit)}::float8
  ) AS available,
  ${dayResetsAt} AS daily_resets_at,
  ${monthResetsAt} AS monthly_resets_at,
  floor(extract(epoch FROM key.last_used_at))::float8 AS last_used_at`;

/** A key of the account as it is answered: of the rows `key`, with what `keyRelations` joins. */
export const keySelection = (
  accountId: AccountId,
) => Prisma.sql`key.id AS apikey_id, key.name, key.is_default, ${Prisma.raw(status)} AS status,
  ${Prisma.raw(LIMITS_REACHED)}, key.group_id, api_key_group.name AS group_name, ${limitSelection}, ${ofAccount(accountId, SPENDING)},
  floor(extract(epoch FROM key.created_at))::float8 AS created_at, ${Prisma.raw(version)} AS version`;

/** With a limit it is no join of groups: PostgreSQL looks the group of each key up, whatever it believes of their numbers. */
export const keyRelations = (accountId: AccountId) => Prisma.sql`${joinAccount(accountId)}
  LEFT JOIN LATERAL (
    SELECT name FROM api_key_group WHERE account_id = ${accountId} AND id = key.group_id LIMIT 1
  ) AS api_key_group ON true`;
