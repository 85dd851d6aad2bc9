import { TOKEN_COLUMNS } from "../usage/schema";
import { SPAN_DAYS } from "../usage/spans";

// Comparisons of what is added up from other tables: totals of spans of days, and numbers of keys. A total of a span is
// compared with what of each day was rolled up, and that with the day itself, so that usage is exact.

const MODEL_COLUMNS = ["spent", "captures", ...TOKEN_COLUMNS] as const;

const spans = (lengths: readonly number[]) =>
  `(VALUES ${lengths.map((days) => `(${days})`).join(", ")}) AS span (days)`;
/** A span begins at a multiple of its length, counted from 1970-01-01. */
const first = "DATE '1970-01-01' + (day - DATE '1970-01-01') / span.days * span.days";
/** The days of a span, for people. */
const daysOfSpan = "CASE WHEN days = 1 THEN first::text ELSE first || ' to ' || first + days - 1 END";

/** The value that a total should have, and the one that it has. A total without a row is 0. */
const compared = (table: string, columns: readonly string[]) => `CROSS JOIN LATERAL (VALUES
    ${columns
      .map((column) => `('${table}.${column}', coalesce(counted.${column}, 0), coalesce(total.${column}, 0))`)
      .join(",\n    ")}
  ) AS compared(name, expected, found)
  WHERE compared.expected <> compared.found`;

const SPENT = ["spent", "captures"] as const;

/** What of the days was rolled up, by the group in which it was. */
const rolledDays = (table: string, columns: readonly string[], model: string) => `(
    SELECT day.account_id, coalesce(rolled.group_id, '') AS group_id, day.day${model && ", day.model"},
      ${columns.map((column) => `sum(day.rolled_${column}) AS ${column}`).join(", ")}
    FROM ${table} day
    LEFT JOIN rolled_key rolled ON rolled.account_id = day.account_id AND rolled.key_id = day.key_id
    GROUP BY day.account_id, coalesce(rolled.group_id, ''), day.day${model && ", day.model"}
  ) rolled_day`;

/** Totals of an account and of its groups. */
function spansOfGroups(table: string, days: string, columns: readonly string[], model: "" | ", model"): string {
  return `SELECT compared.name AS check, account_id, NULL AS apikey_id,
    CASE WHEN kind = 'group' THEN subject END AS group_id,
    ${daysOfSpan}${model && " || ' ' || model"} AS of, compared.expected::text, compared.found::text
  FROM (
    SELECT account_id, whose.kind, span.days, ${first} AS first, whose.subject${model},
      ${columns.map((column) => `sum(${column}) AS ${column}`).join(", ")}
    FROM ${rolledDays(days, columns, model)}
    CROSS JOIN LATERAL (VALUES ('account', ''), ('group', group_id)) AS whose (kind, subject)
    CROSS JOIN ${spans(SPAN_DAYS)}
    GROUP BY 1, 2, 3, 4, 5${model}
  ) counted
  FULL JOIN (SELECT * FROM ${table} WHERE kind <> 'key') total USING (account_id, kind, days, first, subject${model})
  ${compared(table, columns)}`;
}

/** Totals of keys. Their single days are the days themselves. */
const SPANS_OF_KEYS = `SELECT compared.name AS check, account_id, subject AS apikey_id, NULL AS group_id, ${daysOfSpan} AS of,
    compared.expected::text, compared.found::text
  FROM (
    SELECT account_id, key_id AS subject, span.days, ${first} AS first,
      ${SPENT.map((column) => `sum(rolled_${column}) AS ${column}`).join(", ")}
    FROM key_day CROSS JOIN ${spans(SPAN_DAYS.filter((days) => days > 1))}
    GROUP BY 1, 2, 3, 4
  ) counted
  FULL JOIN (SELECT * FROM spend_span WHERE kind = 'key') total USING (account_id, subject, days, first)
  ${compared("spend_span", SPENT)}`;

/** Of a day that counts as rolled up, everything is. */
const rolled = (table: string, columns: readonly string[], of: string) => `SELECT compared.name AS check, account_id,
    key_id AS apikey_id, NULL AS group_id, ${of} AS of, compared.expected::text, compared.found::text
  FROM ${table}
  CROSS JOIN LATERAL (VALUES
    ${columns.map((column) => `('${table}.rolled_${column}', ${column}, rolled_${column})`).join(",\n    ")}
  ) AS compared(name, expected, found)
  WHERE is_rolled AND compared.expected <> compared.found`;

/** A key whose days are rolled up in another group than it is in waits to be moved. */
const ROLLED_KEYS = `SELECT 'rolled_key.group_id' AS check, rolled.account_id, rolled.key_id AS apikey_id,
    rolled.group_id, NULL AS of, coalesce(key.group_id, '') AS expected, rolled.group_id AS found
  FROM rolled_key rolled
  LEFT JOIN api_key key ON key.account_id = rolled.account_id AND key.id = rolled.key_id
  LEFT JOIN moved_key moved ON moved.account_id = rolled.account_id AND moved.key_id = rolled.key_id
  WHERE moved.key_id IS NULL AND rolled.group_id <> coalesce(key.group_id, '')`;

/** The numbers of keys that are not revoked, which lists of groups show. */
const KEY_COUNTS = `SELECT 'key_count' AS check, account_id, NULL AS apikey_id, group_id, NULL AS of,
    coalesce(counted.keys, 0)::text AS expected, coalesce(total.keys, 0)::text AS found
  FROM (
    SELECT account_id, coalesce(group_id, '') AS group_id, count(*) AS keys FROM api_key
    WHERE revoked_at IS NULL GROUP BY account_id, coalesce(group_id, '')
  ) counted
  FULL JOIN (
    SELECT account_id, group_id, sum(keys) AS keys FROM (
      SELECT account_id, group_id, keys FROM key_count
      UNION ALL SELECT account_id, group_id, keys FROM key_count_change
    ) part GROUP BY account_id, group_id
  ) total USING (account_id, group_id)
  WHERE coalesce(counted.keys, 0) <> coalesce(total.keys, 0)`;

/** Statements that name each difference, as those of the books do (server/authorizations/audit-queries.ts). */
export const ROLL_UP_CHECKS: readonly string[] = [
  spansOfGroups("spend_span", "key_day", SPENT, ""),
  SPANS_OF_KEYS,
  spansOfGroups("model_span", "model_day", MODEL_COLUMNS, ", model"),
  rolled("key_day", SPENT, "day::text"),
  rolled("model_day", MODEL_COLUMNS, "day || ' ' || model"),
  ROLLED_KEYS,
  KEY_COUNTS,
];
