import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";

/**
 * Today in the zone of an account, by the database's clock: the column `today` of a row `account`. Its row is selected apart,
 * with LIMIT. Otherwise, PostgreSQL works the day out again in each expression, which is half of the time of a list.
 */
export const today = "(now() AT TIME ZONE time_zone)::date";

/**
 * The first moment of a day in the zone of an account. A clock may be put back at midnight, so that 00:00 comes twice:
 * PostgreSQL takes the second one, and an hour after 23:00 is the first one. See docs/api.md#windows.
 * @param day an expression of the day.
 * @param zone an expression of the zone.
 */
export function beginOf(day: string, zone = "time_zone"): string {
  const at = (moment: string) => `(${moment}) AT TIME ZONE ${zone}`;
  return `LEAST(${at(`(${day})::timestamp`)}, ${at(`(${day})::timestamp - interval '1 hour'`)} + interval '1 hour')`;
}

/** The row `account` of an account, with what the conditions and values of its keys need. */
export const accountRow = (accountId: AccountId) => Prisma.sql`(
    SELECT id, time_zone, limit_change_id, ${Prisma.raw(today)} AS today FROM account WHERE id = ${accountId} LIMIT 1
  ) AS account`;

/** Joins it to the rows `key` of the account. */
export const joinAccount = (accountId: AccountId) =>
  Prisma.sql`JOIN ${accountRow(accountId)} ON account.id = key.account_id`;
