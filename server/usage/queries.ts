import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { SERIES_SHOWN, type Series, type SpentOfDay } from "./schema";

/** Days in the zone of the account, `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The spend of one key of the account by day, in yuan. */
export async function listKeyDays(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  { from, to }: DayRange,
): Promise<(SpentOfDay & { captures: number })[]> {
  return db.prisma.$queryRaw<(SpentOfDay & { captures: number })[]>`
    SELECT day::text AS day, spent::float8 AS spent, captures FROM key_day
    WHERE account_id = ${accountId} AND key_id = ${apikeyId} AND day BETWEEN ${from}::date AND ${to}::date ORDER BY day`;
}

/** The spend of the account, of one group or of one key, in yuan. The database adds up exact decimals. */
export async function sumUsage(
  db: Database,
  accountId: AccountId,
  { from, to }: DayRange,
  target: { groupId?: string | undefined; apikeyId?: string | undefined },
): Promise<number> {
  const rows = await db.prisma.$queryRaw<{ total: number }[]>`
    SELECT coalesce(sum(key_day.spent), 0)::float8 AS total FROM key_day ${keyOfDay}
    WHERE ${inRange(accountId, { from, to })} ${ofGroup(target.groupId)}
      ${target.apikeyId === undefined ? Prisma.empty : Prisma.sql`AND key_day.key_id = ${target.apikeyId}`}`;
  return rows[0]?.total ?? 0;
}

/** The spend of the account: a series for each of the groups or keys that spent most, and one for all others. */
export async function listSeries(
  db: Database,
  accountId: AccountId,
  range: DayRange,
  by: "group" | "key",
  groupId: string | undefined,
): Promise<Series[]> {
  const id = Prisma.raw(by === "group" ? "api_key.group_id" : "api_key.id");
  const name = Prisma.raw(by === "group" ? "api_key_group.name" : "api_key.name");
  return db.prisma.$queryRaw<Series[]>`
    WITH spent AS (
      SELECT ${id} AS id, ${name} AS name, key_day.day, sum(key_day.spent) AS spent FROM key_day ${keyOfDay}
      WHERE ${inRange(accountId, range)} ${ofGroup(groupId)} GROUP BY 1, 2, 3
    ), ranked AS (
      SELECT id, name, row_number() OVER (ORDER BY sum(spent) DESC, id) AS place FROM spent GROUP BY id, name
    ), days AS (
      SELECT LEAST(ranked.place, ${SERIES_SHOWN + 1}) AS place, spent.day, sum(spent.spent) AS spent
      FROM spent JOIN ranked ON ranked.id IS NOT DISTINCT FROM spent.id GROUP BY 1, 2
    )
    SELECT ranked.id, ranked.name, days.place > ${SERIES_SHOWN} AS is_rest, sum(days.spent)::float8 AS total,
      jsonb_agg(jsonb_build_object('day', days.day::text, 'spent', days.spent::float8) ORDER BY days.day) AS days
    FROM days LEFT JOIN ranked ON ranked.place = days.place AND days.place <= ${SERIES_SHOWN}
    GROUP BY days.place, ranked.id, ranked.name ORDER BY days.place`;
}

/** How often one key of the account was refused for each reason, the most frequent reason first. */
export async function listRefusals(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  { from, to }: DayRange,
): Promise<{ code: string; count: number }[]> {
  return db.prisma.$queryRaw<{ code: string; count: number }[]>`
    SELECT code, sum(count)::int AS count FROM refusal_day
    WHERE account_id = ${accountId} AND key_id = ${apikeyId} AND day BETWEEN ${from}::date AND ${to}::date
    GROUP BY code ORDER BY 2 DESC, 1`;
}

const keyOfDay = Prisma.sql`JOIN api_key ON api_key.account_id = key_day.account_id AND api_key.id = key_day.key_id
  LEFT JOIN api_key_group ON api_key_group.account_id = api_key.account_id AND api_key_group.id = api_key.group_id`;

function inRange(accountId: AccountId, { from, to }: DayRange): Prisma.Sql {
  return Prisma.sql`key_day.account_id = ${accountId} AND key_day.day BETWEEN ${from}::date AND ${to}::date`;
}

function ofGroup(groupId: string | undefined): Prisma.Sql {
  return groupId === undefined ? Prisma.empty : Prisma.sql`AND api_key.group_id = ${groupId}`;
}
