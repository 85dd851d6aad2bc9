import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { joinAccount, today } from "../db/account-row";
import { isOfAccount, isOfOneAccount } from "../db/account-scope";
import { limitSelection } from "../limits/columns";
import { WINDOWS, type Window } from "../limits/schema";
import type { KeyLook, KeyStatus } from "./schema";
import {
  dayResetsAt,
  hasStatus,
  isNear,
  isReached,
  left,
  looksWithin,
  monthResetsAt,
  status,
  used,
  version,
  windowsWithin,
} from "./state";

/** The condition of each status, of the rows `key` with their `account` joined. */
export function isOfStatus(name: KeyStatus): Prisma.Sql {
  return Prisma.raw(hasStatus[name]);
}

/** The condition of each look, of the rows `key` with their `account` joined. */
export function isOfLook(accountId: AccountId, look: KeyLook): Prisma.Sql {
  return ofAccount(accountId, `(${looks[look]})`);
}

/**
 * A condition that an index answers and that each key of the status or look fulfils. It finds the few keys of which the
 * exact condition must be asked. Absent: there is no such index, or most keys fulfil it.
 */
export function mayBe(accountId: AccountId, name: KeyStatus | KeyLook): Prisma.Sql | undefined {
  // A sub-select of its own, so that PostgreSQL knows the day before it searches the index.
  const day = Prisma.sql`(SELECT ${Prisma.raw(today)} FROM account WHERE id = ${accountId})`;
  switch (name) {
    case "exhausted":
    case "over_80":
      return Prisma.sql`key.near_limit_until >= ${day}`;
    case "expired":
      return Prisma.sql`key.valid_until < ${day}`;
    case "expiring_7_days":
      // For a key of a later day, because the clock stepped back, the 7 days end later: by a month at most.
      return Prisma.sql`key.valid_until BETWEEN ${day} AND ${day} + 38`;
    case "unlimited":
      return Prisma.sql`key.is_unlimited`;
    default:
      return undefined;
  }
}

/** Stands in a text for the account, which becomes a parameter of the statement. */
export const ACCOUNT = ":account";
const windows = windowsWithin(isOfOneAccount("hold", ACCOUNT));
const looks = looksWithin(isOfOneAccount("its_group", ACCOUNT));

/** The text with the account as a parameter. */
export function ofAccount(accountId: AccountId, text: string): Prisma.Sql {
  const [first = "", ...rest] = text.split(ACCOUNT);
  return rest.reduce((sql, part) => Prisma.sql`${sql}${accountId}${Prisma.raw(part)}`, Prisma.raw(first));
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

export const keyRelations = (accountId: AccountId) => Prisma.sql`${joinAccount(accountId)}
  LEFT JOIN api_key_group ON ${isOfAccount("api_key_group", accountId)}
    AND api_key_group.account_id = key.account_id AND api_key_group.id = key.group_id`;
