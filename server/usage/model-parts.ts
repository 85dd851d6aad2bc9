import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { TOKEN_COLUMNS } from "./schema";
import { type DayRange, spansOf } from "./spans";
import {
  accountDays,
  dayOfGroup,
  daysOf,
  isWithin,
  joinRolled,
  movedKeys,
  openDays,
  openDaysOfGroups,
  partsOfAccount,
  partsOfGroups,
  sinceRollUp,
} from "./spend-parts";

// Parts of what was spent with each model, for the queries of usage: totals of spans of days (`model_span`), and what was
// captured since they were rolled up. What was captured without a model is the difference to what was spent in all; its
// model is ''. So the sum is what the account or the group spent, exact to the last capture.

/** Columns of the parts, beside the model and the day. The three of tokens are NULL where there is no model. */
const COLUMNS = ["spent", "captures", ...TOKEN_COLUMNS] as const;

const columns = (of: (column: string) => string) => Prisma.raw(COLUMNS.map(of).join(", "));
const plain = columns((column) => column);
const open = columns((column) => `${column} - rolled_${column} AS ${column}`);
const signed = columns((column) => `change.sign * total.${column}`);
/** The negative of a part takes the captures with a model from all captures. */
const without = Prisma.sql`-spent, -captures, NULL::bigint, NULL::bigint, NULL::bigint`;
const withoutTokens = Prisma.sql`spent, captures, NULL::bigint, NULL::bigint, NULL::bigint`;

/**
 * Common table expressions. The last one is `part`: `id` of the model, `spent`, `captures` and tokens in a range.
 * @param groupId undefined: of all keys; otherwise of those that are in this group now.
 */
export function partsOfModels(accountId: AccountId, range: DayRange, groupId: string | undefined): Prisma.Sql {
  const spans = spansOf(range);
  const all =
    groupId === undefined
      ? partsOfAccount(accountId, range)
      : Prisma.sql`(SELECT * FROM ${partsOfGroups(accountId, range)} WHERE id = ${groupId}) AS part`;
  return Prisma.sql`${before(accountId, range, groupId)}, of_model AS MATERIALIZED (
      SELECT total.model AS id, ${plain}
      FROM unnest(${spans.map(({ days }) => days)}::int[], ${spans.map(({ first }) => first)}::date[]) AS span (days, first)
      JOIN model_span total ON total.account_id = ${accountId} AND total.kind = ${kindOf(groupId)}
        AND total.days = span.days AND total.first = span.first AND total.subject = ${groupId ?? ""}
      UNION ALL SELECT model, ${plain} FROM model_since_roll_up
    ), part AS (
      SELECT id, ${plain} FROM of_model
      UNION ALL SELECT '', ${without} FROM of_model
      UNION ALL SELECT '', ${withoutTokens} FROM ${all}
    )`;
}

/**
 * Common table expressions: `model_day_part`, the same by day (`id`, `day`, `spent`, `captures`), and `counted_day` (`day`,
 * `spent`, `captures`), parts of what all together spent on a day.
 */
export function daysOfModels(accountId: AccountId, range: DayRange, groupId: string | undefined): Prisma.Sql {
  const counted =
    groupId === undefined
      ? Prisma.sql`SELECT day, spent, captures FROM account_day`
      : Prisma.sql`SELECT total.first AS day, total.spent, total.captures
          FROM ${daysOf(range)} CROSS JOIN LATERAL ${dayOfGroup(accountId, Prisma.sql`${groupId}`)}
        UNION ALL SELECT day, spent, captures FROM since_roll_up WHERE id = ${groupId}`;
  return Prisma.sql`${before(accountId, range, groupId)}, ${accountDays(accountId, range)}, counted_day AS MATERIALIZED (${counted}),
    of_model AS MATERIALIZED (
      SELECT total.model AS id, passing.day, total.spent, total.captures
      FROM ${daysOf(range)}
      JOIN model_span total ON total.account_id = ${accountId} AND total.kind = ${kindOf(groupId)}
        AND total.days = 1 AND total.first = passing.day AND total.subject = ${groupId ?? ""}
      UNION ALL SELECT model, day, spent, captures FROM model_since_roll_up
    ), model_day_part AS (
      SELECT id, day, spent, captures FROM of_model
      UNION ALL SELECT '', day, -spent, -captures FROM of_model
      UNION ALL SELECT '', day, spent, captures FROM counted_day
    )`;
}

function kindOf(groupId: string | undefined): "account" | "group" {
  return groupId === undefined ? "account" : "group";
}

/** What both read: what is not rolled up yet, of all calls (`open_day`, `since_roll_up`) and by model. */
function before(accountId: AccountId, range: DayRange, groupId: string | undefined): Prisma.Sql {
  const openModelDays = Prisma.sql`open_model_day AS MATERIALIZED (
      SELECT account_id, key_id, day, model, ${open} FROM model_day
      WHERE account_id = ${accountId} AND NOT is_rolled AND ${isWithin(range)}
    )`;
  if (groupId === undefined) {
    return Prisma.sql`${openDays(accountId, range)}, ${openModelDays},
      model_since_roll_up AS (SELECT model, day, ${plain} FROM open_model_day)`;
  }
  // A key counts in the group that it is in now, as in `sinceRollUp`.
  return Prisma.sql`${openDaysOfGroups(accountId, range, groupId)}, ${sinceRollUp(accountId, range)}, ${openModelDays},
    model_since_roll_up AS MATERIALIZED (
      SELECT open_model_day.model, open_model_day.day, ${columns((column) => `open_model_day.${column}`)}
      FROM open_model_day
      ${joinRolled(accountId, "open_model_day")}
      LEFT JOIN LATERAL (
        SELECT group_id FROM api_key
        WHERE account_id = ${accountId} AND id = open_model_day.key_id AND rolled.key_id IS NULL LIMIT 1
      ) AS current ON true
      WHERE coalesce(rolled.group_id, current.group_id, '') = ${groupId}
      UNION ALL
      SELECT total.model, total.day, ${signed}
      FROM ${movedKeys(accountId)}
      CROSS JOIN LATERAL (
        SELECT * FROM model_day
        WHERE account_id = ${accountId} AND key_id = moved.key_id AND day BETWEEN ${range.from}::date AND ${range.to}::date
        OFFSET 0
      ) AS total
      CROSS JOIN LATERAL (VALUES (rolled.group_id, -1), (coalesce(key.group_id, ''), 1)) AS change (id, sign)
      WHERE moved.account_id = ${accountId} AND change.id = ${groupId}
    )`;
}
