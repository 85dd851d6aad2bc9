import { Prisma } from "@/prisma/generated/client";

// What keys have spent, of the rows `key` with their `account` joined. Counters roll when they are written; a reader
// takes those of an older day or month for 0, and holds that have expired for released.

/** The day it is in the account's zone, by the database's clock. */
export const today = Prisma.sql`(now() AT TIME ZONE account.time_zone)::date`;

const thisMonth = Prisma.sql`date_trunc('month', now() AT TIME ZONE account.time_zone)::date`;

export const spentToday = Prisma.sql`(CASE WHEN key.day >= ${today} THEN key.day_spent ELSE 0 END)`;

export const spentThisMonth = Prisma.sql`(CASE WHEN key.month >= ${thisMonth} THEN key.month_spent ELSE 0 END)`;

/** Open holds of a window, without those that have expired. */
function heldIn(window: "ever" | "day" | "month"): Prisma.Sql {
  const [counter, isOfWindow, isCurrent] = {
    ever: [Prisma.sql`key.held`, Prisma.sql`true`, Prisma.sql`true`],
    day: [Prisma.sql`key.day_held`, Prisma.sql`hold.day = key.day`, Prisma.sql`key.day >= ${today}`],
    month: [Prisma.sql`key.month_held`, Prisma.sql`hold.month = key.month`, Prisma.sql`key.month >= ${thisMonth}`],
  }[window];
  return Prisma.sql`(CASE WHEN NOT ${isCurrent} THEN 0 WHEN key.held_until <= now() THEN ${counter} - (
      SELECT coalesce(sum(hold.amount), 0) FROM "authorization" hold WHERE hold.account_id = key.account_id
        AND hold.key_id = key.id AND hold.state = 'held' AND hold.expires_at <= now() AND ${isOfWindow}
    ) ELSE coalesce(${counter}, 0) END)`;
}

export const held = heldIn("ever");
export const heldToday = heldIn("day");
export const heldThisMonth = heldIn("month");

/** The columns of spend of an answered key: yuan, moments in seconds since 1970. */
export const spendingSelection = Prisma.sql`key.spent::float8 AS spent, ${spentToday}::float8 AS spent_today,
  ${spentThisMonth}::float8 AS spent_this_month, ${held}::float8 AS held,
  jsonb_build_object(
    'budget', (NULLIF(key.budget, 0) - key.spent - ${held})::float8,
    'daily', (NULLIF(key.daily_limit, 0) - ${spentToday} - ${heldToday})::float8,
    'monthly', (NULLIF(key.monthly_limit, 0) - ${spentThisMonth} - ${heldThisMonth})::float8
  ) AS available,
  extract(epoch FROM (${today} + 1)::timestamp AT TIME ZONE account.time_zone)::float8 AS daily_resets_at,
  extract(epoch FROM (${thisMonth} + interval '1 month') AT TIME ZONE account.time_zone)::float8 AS monthly_resets_at,
  floor(extract(epoch FROM key.last_used_at))::float8 AS last_used_at`;

/** Whether nothing is left of some limit. */
export const isExhausted = Prisma.sql`(
  (key.budget > 0 AND key.spent >= key.budget)
  OR (key.daily_limit > 0 AND ${spentToday} >= key.daily_limit)
  OR (key.monthly_limit > 0 AND ${spentThisMonth} >= key.monthly_limit)
) IS TRUE`;

/** Keys that deserve a look, by what they spent. */
export const deservesLook = {
  over_80: Prisma.sql`(
    (key.budget > 0 AND key.spent >= 0.8 * key.budget)
    OR (key.daily_limit > 0 AND ${spentToday} >= 0.8 * key.daily_limit)
    OR (key.monthly_limit > 0 AND ${spentThisMonth} >= 0.8 * key.monthly_limit)
  ) IS TRUE`,
  never_used: Prisma.sql`key.last_used_at IS NULL`,
  idle_30_days: Prisma.sql`key.last_used_at < now() - interval '30 days'`,
  expiring_7_days: Prisma.sql`key.expiry_date BETWEEN ${today} AND ${today} + 7`,
  unlimited: Prisma.sql`coalesce(key.budget, 0) = 0 AND coalesce(key.daily_limit, 0) = 0
    AND coalesce(key.monthly_limit, 0) = 0`,
};
