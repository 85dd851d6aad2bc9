import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import type { Database } from "../db/client";
import { readLarge } from "../db/large-read";
import { keysRead } from "./keys-read";
import { daysOfModels } from "./model-parts";
import { joinShown } from "./names";
import { SERIES_SHOWN, type Series, type SpentOfDay, type UsageBy } from "./schema";
import type { DayRange } from "./spans";
import {
  accountDays,
  dayOfGroup,
  daysOf,
  isOfKeyWithin,
  membersOf,
  openDays,
  openDaysOfGroups,
  partsOfGroups,
  sinceRollUp,
  totalsOfAll,
  totalsOfThese,
} from "./spend-parts";

/**
 * The spend of one key of the account by day, and in all, in yuan. The database adds up exact decimals. One statement reads both, so
 * that no capture comes between.
 */
export async function listKeyDays(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  range: DayRange,
): Promise<{ data: (SpentOfDay & { captures: number })[]; total: number }> {
  const rows = await db.prisma.$queryRaw<(SpentOfDay & { captures: number; total: number })[]>`
    SELECT day::text AS day, spent::float8 AS spent, captures, (sum(spent) OVER ())::float8 AS total FROM key_day
    WHERE account_id = ${accountId} AND ${isOfKeyWithin(Prisma.sql`${apikeyId}`, range)}
    ORDER BY day`;
  return { data: rows.map(({ total: _, ...day }) => day), total: rows[0]?.total ?? 0 };
}

/** What of the account's spend is listed. */
export interface SeriesFilter {
  range: DayRange;
  /** What each series is. */
  by: UsageBy;
  /** Only keys of this group. */
  groupId: string | undefined;
}

/**
 * The spend of the account: a series for each of the groups, keys or models that spent most, one for all others, and the sum of
 * all. It reads the totals of spans of days (`spend_span`, `model_span`), and what was captured since they were rolled up, so it is exact
 * to the last capture: see docs/decisions/lists.md. Names are looked up last, for the series that are shown.
 */
export async function listSeries(
  db: Database,
  accountId: AccountId,
  { range, by, groupId }: SeriesFilter,
): Promise<{ data: Series[]; total: number }> {
  const { areMany } = await keysRead(db, accountId, { by, range, groupId });
  const parts = PARTS[by](accountId, range, groupId, areMany);
  const rows = await readLarge(
    db,
    db.prisma.$queryRaw<(Series & { whole: number })[]>`
    WITH ${parts}, shown AS (
      SELECT id, row_number() OVER (ORDER BY spent DESC, NULLIF(id, '')) AS place FROM ranked
    ), shown_day AS (
      SELECT place, day, sum(spent) AS spent, sum(captures) AS captures
      FROM shown JOIN spent_day USING (id) GROUP BY place, day
    ), whole_day AS (
      SELECT day, sum(spent) AS spent, sum(captures) AS captures FROM counted_day GROUP BY day
    ), rest_day AS (
      SELECT ${SERIES_SHOWN + 1}::bigint AS place, whole_day.day, whole_day.spent - coalesce(sum(shown_day.spent), 0) AS spent,
        whole_day.captures - coalesce(sum(shown_day.captures), 0) AS captures
      FROM whole_day LEFT JOIN shown_day USING (day) GROUP BY whole_day.day, whole_day.spent, whole_day.captures
    ), series AS (
      SELECT place, sum(spent)::float8 AS total,
        jsonb_agg(jsonb_build_object('day', day::text, 'spent', spent::float8) ORDER BY day) AS days
      FROM (SELECT * FROM shown_day UNION ALL SELECT * FROM rest_day) AS listed WHERE captures > 0 GROUP BY place
    )
    SELECT NULLIF(shown.id, '') AS id,
      CASE WHEN ${by} = 'model' THEN NULLIF(shown.id, '') ELSE coalesce(key.name, own.name) END AS name,
      series.place > ${SERIES_SHOWN} AS is_rest, series.total, series.days,
      (SELECT sum(spent)::float8 FROM whole_day) AS whole
    FROM series LEFT JOIN shown USING (place) ${joinShown(accountId, by)}
    ORDER BY series.place`,
  );
  return { data: rows.map(({ whole, ...series }) => series), total: rows[0]?.whole ?? 0 };
}

// The parts of each list of series, as common table expressions:
// `ranked` (id, spent): those that spent most. `spent_day` (id, day, spent, captures): parts of what they spent on a day.
// `counted_day` (day, spent, captures): parts of what all together spent on a day. Parts of a day may be below 0.

function partsByGroup(accountId: AccountId, range: DayRange, groupId: string | undefined): Prisma.Sql {
  const ofGroup = groupId === undefined ? Prisma.sql`true` : Prisma.sql`id = ${groupId}`;
  const counted = groupId === undefined ? Prisma.sql`SELECT day, spent, captures FROM account_day` : countedInGroup;
  return Prisma.sql`${openDaysOfGroups(accountId, range, groupId)}, ${sinceRollUp(accountId, range)}, ${accountDays(accountId, range)},
    ranked AS (
      SELECT id, sum(spent) AS spent FROM ${partsOfGroups(accountId, range)} WHERE ${ofGroup} GROUP BY id HAVING sum(captures) > 0
      ORDER BY 2 DESC, NULLIF(id, '') LIMIT ${SERIES_SHOWN}
    ), spent_day AS (
      SELECT ranked.id, total.first AS day, total.spent, total.captures
      FROM ranked CROSS JOIN ${daysOf(range)} CROSS JOIN LATERAL ${dayOfGroup(accountId, Prisma.sql`ranked.id`)}
      UNION ALL SELECT id, day, spent, captures FROM since_roll_up WHERE id IN (SELECT id FROM ranked)
    ), counted_day AS (${counted})`;
}

function partsByModel(accountId: AccountId, range: DayRange, groupId: string | undefined): Prisma.Sql {
  return Prisma.sql`${daysOfModels(accountId, range, groupId)},
    spent_day AS MATERIALIZED (
      SELECT id, day, sum(spent) AS spent, sum(captures) AS captures FROM model_day_part GROUP BY id, day
    ), ranked AS (
      SELECT id, sum(spent) AS spent FROM spent_day GROUP BY id HAVING sum(captures) > 0
      ORDER BY 2 DESC, NULLIF(id, '') LIMIT ${SERIES_SHOWN}
    )`;
}

const countedInGroup = Prisma.sql`SELECT day, spent, captures FROM spent_day`;

function partsByKey(accountId: AccountId, range: DayRange, groupId: string | undefined, areMany: boolean): Prisma.Sql {
  const whole =
    groupId === undefined ? totalsOfAll(accountId, range) : totalsOfThese(accountId, range, "member", areMany);
  const ranked = Prisma.sql`ranked AS (
      SELECT id, spent FROM (${whole}) AS whole
      ORDER BY spent DESC, id LIMIT ${SERIES_SHOWN}
    ), spent_day AS (
      SELECT ranked.id, total.day, total.spent, total.captures
      FROM ranked CROSS JOIN LATERAL (
        SELECT * FROM key_day
        WHERE account_id = ${accountId} AND ${isOfKeyWithin(Prisma.sql`ranked.id`, range)}
        OFFSET 0
      ) AS total
    )`;
  if (groupId === undefined) {
    return Prisma.sql`${openDays(accountId, range)}, ${accountDays(accountId, range)}, ${ranked},
      counted_day AS (SELECT day, spent, captures FROM account_day)`;
  }
  return Prisma.sql`${openDaysOfGroups(accountId, range, groupId)}, ${sinceRollUp(accountId, range)},
    ${membersOf(accountId, groupId)}, ${ranked}, counted_day AS (
      SELECT total.first AS day, total.spent, total.captures
      FROM ${daysOf(range)} CROSS JOIN LATERAL ${dayOfGroup(accountId, Prisma.sql`${groupId}`)}
      UNION ALL SELECT day, spent, captures FROM since_roll_up WHERE id = ${groupId}
    )`;
}

const PARTS = { group: partsByGroup, key: partsByKey, model: partsByModel };

/** How often one key of the account was refused for each reason, the most frequent reason first. */
export async function listRefusals(
  db: Database,
  accountId: AccountId,
  apikeyId: string,
  range: DayRange,
): Promise<{ code: string; count: number }[]> {
  return db.prisma.$queryRaw<{ code: string; count: number }[]>`
    SELECT code, sum(count)::int AS count FROM refusal_day
    WHERE account_id = ${accountId} AND ${isOfKeyWithin(Prisma.sql`${apikeyId}`, range)}
    GROUP BY code ORDER BY 2 DESC, 1`;
}
