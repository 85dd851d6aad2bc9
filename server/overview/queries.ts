import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { beginOf, today } from "../db/account-row";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import type { FoundPage, Page } from "../input/page";
import type { Refusal } from "../keys/schema";
import type { DayRange } from "../usage/spans";
import { accountDays, openDays } from "../usage/spend-parts";
import { addDays, type Calendar, comparedDays, projectMonth } from "./calendar";
import { CHART_DAYS, type Overview, type RefusedKey } from "./schema";

/** How many counts of refusals are read, each of one key, one day and one reason. */
const MOST_REFUSALS = 50_000;

/** Where the account is in its month, by the clock of the database. */
export async function readCalendar(db: Database, accountId: AccountId): Promise<Calendar> {
  const [calendar] = await db.prisma.$queryRaw<Calendar[]>`
    SELECT today::text AS today, extract(epoch FROM now())::float8 AS now,
      extract(epoch FROM ${Prisma.raw(beginOf("month"))})::float8 AS month_starts_at,
      extract(epoch FROM ${Prisma.raw(beginOf("month + interval '1 month'"))})::float8 AS month_ends_at
    FROM (
      SELECT time_zone, ${Prisma.raw(today)} AS today,
        date_trunc('month', now() AT TIME ZONE time_zone) AS month
      FROM account WHERE id = ${accountId}
    ) AS local`;
  if (!calendar) throw new Error("the account does not exist");
  return calendar;
}

/** What the account spent, exact to the last capture, and what this month will have cost. */
export async function readSpend(db: Database, accountId: AccountId, calendar: Calendar): Promise<Overview["spend"]> {
  const { today } = calendar;
  const { lastOfMonth, ...periods } = comparedDays(today);
  const firstOfChart = addDays(today, 1 - CHART_DAYS);
  const first = periods.last_month.from;
  const range = { from: firstOfChart < first ? firstOfChart : first, to: today };
  const spentIn = ({ from, to }: DayRange) => Prisma.sql`jsonb_build_object('from', ${from}::text, 'to', ${to}::text,
    'spent', coalesce(sum(spent) FILTER (WHERE day BETWEEN ${from}::date AND ${to}::date), 0)::float8)`;
  const [found] = await readLarge(
    db,
    db.prisma.$queryRaw<Omit<Overview["spend"], "projected">[]>`
      WITH ${openDays(accountId, range)}, ${accountDays(accountId, range)}, whole_day AS (
        SELECT day, sum(spent) AS spent, sum(captures) AS captures FROM account_day GROUP BY day
      )
      SELECT ${spentIn(periods.today)} AS today, ${spentIn(periods.yesterday)} AS yesterday,
        ${spentIn(periods.this_month)} AS this_month, ${spentIn(periods.last_month_same_days)} AS last_month_same_days,
        ${spentIn(periods.last_month)} AS last_month,
        coalesce(jsonb_agg(jsonb_build_object('day', day::text, 'spent', spent::float8) ORDER BY day)
          FILTER (WHERE captures > 0 AND day >= ${firstOfChart}::date), '[]') AS days
      FROM whole_day`,
  );
  if (!found) throw new Error("a sum has one row");
  return { ...found, projected: { day: lastOfMonth, spent: projectMonth(found.this_month.spent, calendar) } };
}

/** Why authorizations of some days were refused: the most frequent reason first. */
export async function readRefusals(db: Database, accountId: AccountId, range: DayRange): Promise<Overview["refusals"]> {
  const [found] = await db.prisma.$queryRaw<Pick<Overview["refusals"], "data" | "is_exact">[]>`
    WITH of_key AS (
      SELECT code, key_id, sum(count) AS count, count(*) AS days
      FROM (${recentRefusals(accountId, range)}) AS recent GROUP BY code, key_id
    ), of_code AS (
      SELECT code, sum(count) AS count, count(*) AS keys, sum(days) AS days FROM of_key GROUP BY code
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('code', code, 'count', count, 'keys', keys) ORDER BY count DESC, code), '[]')
        AS data,
      coalesce(sum(days), 0) <= ${MOST_REFUSALS} AS is_exact
    FROM of_code`;
  return { ...range, data: [], is_exact: true, ...found };
}

/** A page of the keys that were refused in some days, for each reason: those that were refused most first. */
export async function listRefusedKeys(
  db: Database,
  accountId: AccountId,
  { from, to, code }: DayRange & { code: Refusal | undefined },
  { page, pageSize }: Page,
): Promise<FoundPage<RefusedKey>> {
  const ofCode = code === undefined ? Prisma.sql`true` : Prisma.sql`code = ${code}`;
  const [found] = await db.prisma.$queryRaw<{ data: RefusedKey[]; total: number; isTotalExact: boolean }[]>`
    WITH recent AS MATERIALIZED (${recentRefusals(accountId, { from, to })}), of_key AS MATERIALIZED (
      SELECT key_id, code, sum(count) AS count, max(day) AS last_day FROM recent WHERE ${ofCode} GROUP BY key_id, code
    ), shown AS (
      SELECT listed.key_id AS apikey_id, key.name, listed.code, listed.count, listed.last_day::text AS last_day
      FROM (
        SELECT * FROM of_key ORDER BY count DESC, key_id DESC, code LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
      ) AS listed
      CROSS JOIN LATERAL (
        SELECT name FROM api_key one WHERE one.account_id = ${accountId} AND one.id = listed.key_id LIMIT 1
      ) AS key
    )
    SELECT coalesce((SELECT jsonb_agg(shown ORDER BY count DESC, apikey_id DESC, code) FROM shown), '[]') AS data,
      (SELECT count(*)::int FROM of_key) AS total,
      (SELECT count(*) FROM recent) <= ${MOST_REFUSALS} AS "isTotalExact"`;
  return found ?? { data: [], total: 0 };
}

/** The counts of some days, the newest first: of `MOST_REFUSALS`, and one more if there are more. */
function recentRefusals(accountId: AccountId, { from, to }: DayRange): Prisma.Sql {
  // In the order and with the condition of the index, so that PostgreSQL walks it, and reads nothing of other days, whatever
  // it knows of the table.
  return Prisma.sql`SELECT key_id, day, code, count FROM refusal_day
      WHERE account_id = ${accountId} AND day BETWEEN ${from}::date AND ${to}::date AND day > '1000-01-01'
      ORDER BY account_id DESC, day DESC LIMIT ${MOST_REFUSALS + 1}`;
}
