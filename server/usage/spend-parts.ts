import { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { isOfAccount } from "../db/account-scope";
import { keyNamed } from "./names";
import { type DayRange, type Span, spansOf } from "./spans";

// Parts of what the keys of an account spent, for the queries of usage: totals of spans of days (`spend_span`), and what was
// captured since they were rolled up. Their sum is exact to the last capture: see docs/decisions/lists.md.

/**
 * What groups spent in a range, in parts: `id`, `spent`, `captures`. The id of no group is ''. A part may be below 0. It reads
 * `since_roll_up`.
 */
export function partsOfGroups(accountId: AccountId, range: DayRange): Prisma.Sql {
  return Prisma.sql`(
      SELECT subject AS id, spent, captures FROM ${totalsOf(accountId, "group", spansOf(range))}
      UNION ALL SELECT id, spent, captures FROM since_roll_up
    ) AS part`;
}

/** Conditions for some of the keys of an account. */
interface KeyScope {
  /** On a column with the id of a key, by which an index finds the key. */
  isListed(column: Prisma.Sql): Prisma.Sql;
  /** The rows of `key_day` of these keys on some days. */
  keyDays(accountId: AccountId, days: readonly string[]): Prisma.Sql;
  /**
   * Whether these are so many keys that each day is read by itself, by the index of days. To have several days in the order of
   * ids, PostgreSQL reads all days of all keys in the primary key.
   */
  areMany: boolean;
}

/**
 * Whether a row of `key_day` is of one key and of days from `first` to `last`. Only the primary key finds such rows. With a
 * condition of the day alone, PostgreSQL reads these days of all keys by the index of days where it does not know the account.
 */
function isOfKey(keyId: Prisma.Sql, first: Prisma.Sql, last: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`key_id = ${keyId} AND (key_id, day) >= (${keyId}, ${first}) AND (key_id, day) <= (${keyId}, ${last})`;
}

/** Whether a row of `key_day` or `refusal_day` is of one key and of a range of days, found as by `isOfKey`. */
export const isOfKeyWithin = (keyId: Prisma.Sql, { from, to }: DayRange) =>
  isOfKey(keyId, Prisma.sql`${from}::date`, Prisma.sql`${to}::date`);

/**
 * All keys of an account, in two halves, which PostgreSQL can read at the same time. Behind the three characters of its prefix
 * an id is random in base 62 (server/keys/key-value.ts), in which half of all digits come before `V`.
 */
function halvesOf(accountId: AccountId): readonly KeyScope[] {
  const middle = Prisma.sql`(
    SELECT left(id, 3) || 'V' FROM api_key WHERE account_id = ${accountId} ORDER BY account_id, id LIMIT 1)`;
  return [Prisma.sql`<`, Prisma.sql`>=`].map((than) => {
    const isListed = (column: Prisma.Sql) => Prisma.sql`${column} ${than} ${middle}`;
    return { isListed, keyDays: keyDaysWhere(isListed), areMany: true };
  });
}

/** The keys whose `id` is in a common table expression. An index looks them up from an array one by one. */
function keysOf(expression: "member" | "matching"): KeyScope {
  const ids = Prisma.raw(`SELECT id FROM ${expression}`);
  return {
    isListed: (column) => Prisma.sql`${column} = ANY (ARRAY(${ids}))`,
    keyDays: (accountId, days) => Prisma.sql`(${ids}) AS scope CROSS JOIN unnest(${days}::date[]) AS passing (day)
          CROSS JOIN LATERAL (
            SELECT * FROM key_day
            WHERE account_id = ${accountId} AND ${isOfKey(Prisma.sql`scope.id`, Prisma.sql`passing.day`, Prisma.sql`passing.day`)}
            LIMIT 1
          ) AS day_of_key`,
    areMany: false,
  };
}

/** The keys after one id and up to another one, as a walk through all keys reads them. */
function keysBetween(after: string, last: string): KeyScope {
  const isListed = (column: Prisma.Sql) => Prisma.sql`${column} > ${after} AND ${column} <= ${last}`;
  return { isListed, keyDays: keyDaysWhere(isListed), areMany: false };
}

/**
 * The days of keys that stand together in the order of ids, where PostgreSQL may read those of all keys and leave out the
 * others: by the index of days, whose condition each day fulfils.
 */
const keyDaysWhere =
  (isListed: KeyScope["isListed"]): KeyScope["keyDays"] =>
  (accountId, days) =>
    Prisma.sql`(
            SELECT * FROM key_day
            WHERE account_id = ${accountId} AND day = ANY(${days}::date[]) AND day > '1000-01-01'
              AND ${isListed(Prisma.sql`key_id`)}
          ) AS day_of_key`;

// The next functions return a query for what keys spent in a range: `id`, `spent`, `captures` of each that had a capture.

export const totalsOfAll = (accountId: AccountId, range: DayRange) =>
  totalsOfKeys(accountId, range, halvesOf(accountId));

/** @param after the keys after this id and up to `last`, as a walk through all keys reads them. */
export const totalsBetween = (accountId: AccountId, range: DayRange, after: string, last: string) =>
  totalsOfKeys(accountId, range, [keysBetween(after, last)]);

/**
 * Of the keys of a common table expression.
 * @param areMany whether the spend of all keys is added up, and others are left out. Otherwise each key is looked up.
 */
export function totalsOfThese(
  accountId: AccountId,
  range: DayRange,
  expression: "member" | "matching",
  areMany: boolean,
): Prisma.Sql {
  if (!areMany) return totalsOfKeys(accountId, range, [keysOf(expression)]);
  // OFFSET keeps the condition out of the halves, which PostgreSQL would not read at the same time with it.
  return Prisma.sql`SELECT * FROM (${totalsOfAll(accountId, range)} OFFSET 0) AS total WHERE ${isAmong(expression)}`;
}

/**
 * Whether the `id` of a row is in a common table expression. In a comparison, the sub-select is a hash table. As a join,
 * PostgreSQL may compare all keys with all.
 */
export const isAmong = (expression: "member" | "matching") =>
  Prisma.raw(`(id IN (SELECT id FROM ${expression})) IS TRUE`);

/** @param scopes have no key in common. */
function totalsOfKeys(accountId: AccountId, range: DayRange, scopes: readonly KeyScope[]): Prisma.Sql {
  const totals = scopes.map(
    (scope) => Prisma.sql`(
      SELECT id, sum(spent) AS spent, sum(captures) AS captures FROM ${partsOfKeys(accountId, range, scope)}
      GROUP BY id HAVING sum(captures) > 0
    )`,
  );
  return Prisma.join(totals, " UNION ALL ");
}

/**
 * What keys spent in a range, in parts: `id`, `spent`, `captures`, in the order of ids. Each span is a query of its own, which
 * walks its index in that order. PostgreSQL merges them and adds up one key after the other, which takes 0.7 of the time that a
 * hash table of all keys takes. It merges only parts that have an order of their own.
 */
function partsOfKeys(accountId: AccountId, range: DayRange, scope: KeyScope): Prisma.Sql {
  const spans = spansOf(range);
  const singleDays = spans.filter(({ days }) => days === 1).map(({ first }) => first);
  const longSpans = spans.filter(({ days }) => days > 1);
  const ofSpans = longSpans.map(
    ({ days, first }) => Prisma.sql`(
          SELECT subject AS id, spent, captures FROM spend_span
          WHERE account_id = ${accountId} AND kind = 'key' AND days = ${days} AND first = ${first}::date
            AND ${scope.isListed(Prisma.sql`subject`)} ORDER BY id
        )`,
  );
  const [first, last] = [longSpans[0], longSpans.at(-1)];
  // Single days stand before and after the longer spans, whose days follow one another. For `IS TRUE`, see `isWithin`.
  const ofOpenDays =
    first && last
      ? [
          Prisma.sql`(
          SELECT key_id AS id, spent - rolled_spent, (captures - rolled_captures)::bigint FROM key_day
          WHERE account_id = ${accountId} AND NOT is_rolled AND ${scope.isListed(Prisma.sql`key_id`)}
            AND (day >= ${first.first}::date AND day < ${last.first}::date + ${last.days}::int) IS TRUE ORDER BY id
        )`,
        ]
      : [];
  const ofSingleDays = (scope.areMany ? singleDays.map((day) => [day]) : [singleDays]).map(
    (days) => Prisma.sql`(
          SELECT key_id AS id, spent, captures::bigint AS captures FROM ${scope.keyDays(accountId, days)} ORDER BY id
        )`,
  );
  return Prisma.sql`(
      SELECT * FROM (
        ${Prisma.join([...ofSingleDays, ...ofSpans, ...ofOpenDays], " UNION ALL ")}
      ) AS merged ORDER BY id
    ) AS part`;
}

/** What the account spent in a range, in parts: `spent`, `captures`. It reads `open_day`. */
export function partsOfAccount(accountId: AccountId, range: DayRange): Prisma.Sql {
  return Prisma.sql`(
      SELECT spent, captures FROM ${totalsOf(accountId, "account", spansOf(range))}
      UNION ALL SELECT spent, captures FROM open_day
    ) AS part`;
}

/** The totals of spans, of the account, or of all groups. */
function totalsOf(accountId: AccountId, kind: "account" | "group", spans: readonly Span[]): Prisma.Sql {
  return Prisma.sql`(
      SELECT total.subject, total.spent, total.captures
      FROM unnest(${spans.map(({ days }) => days)}::int[], ${spans.map(({ first }) => first)}::date[]) AS span (days, first)
      JOIN spend_span total ON total.account_id = ${accountId} AND total.kind = ${kind} AND total.days = span.days
        AND total.first = span.first
    ) AS rolled`;
}

/** The total of the day `passing` of a group: one row by its whole key, or none. */
export function dayOfGroup(accountId: AccountId, groupId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
      SELECT * FROM spend_span
      WHERE account_id = ${accountId} AND kind = 'group' AND days = 1 AND first = passing.day AND subject = ${groupId}
      LIMIT 1
    ) AS total`;
}

/** The days of a range as rows `passing`, with the column `day`. */
export function daysOf({ from, to }: DayRange): Prisma.Sql {
  return Prisma.sql`(SELECT generate_series(${from}::date, ${to}::date, '1 day')::date AS day) AS passing`;
}

/**
 * Whether an open day is in a range, in a form that no index knows (`IS TRUE`). The index of open days has few rows. Where
 * PostgreSQL does not know the account, it would take the index of days for as good, and read all days of all keys in the range.
 */
export const isWithin = ({ from, to }: DayRange) => Prisma.sql`(day BETWEEN ${from}::date AND ${to}::date) IS TRUE`;

/** What keys spent that is not rolled up yet. */
export function openDays(accountId: AccountId, range: DayRange): Prisma.Sql {
  return Prisma.sql`open_day AS (
      SELECT account_id, key_id, day, spent - rolled_spent AS spent, captures - rolled_captures AS captures FROM key_day
      WHERE account_id = ${accountId} AND NOT is_rolled AND ${isWithin(range)}
    )`;
}

/**
 * The same, and `open_of_key`: each with the group that the old days of its key are rolled up in, which is '' for no group, and
 * NULL for a key without rolled up days.
 * @param groupId only of keys that are rolled up in this group, or not at all and are in it now; undefined: of all keys.
 */
export function openDaysOfGroups(accountId: AccountId, range: DayRange, groupId: string | undefined): Prisma.Sql {
  const all = Prisma.sql`
      SELECT open_day.*, rolled.group_id AS rolled_group_id FROM open_day ${joinRolled(accountId, "open_day")}`;
  // Keys are not joined with those of the group: where they were never analysed, PostgreSQL would compare all with all.
  const ofGroup = Prisma.sql`${all}
      LEFT JOIN LATERAL (
        SELECT group_id FROM api_key
        WHERE account_id = ${accountId} AND id = open_day.key_id AND rolled.group_id IS NULL LIMIT 1
      ) AS current ON true
      WHERE coalesce(rolled.group_id, current.group_id) = ${groupId}`;
  return Prisma.sql`${openDays(accountId, range)}, open_of_key AS MATERIALIZED (${groupId === undefined ? all : ofGroup}
    )`;
}

/**
 * Joins to rows of open days the roll-up of each key. The account is compared with an expression. Otherwise PostgreSQL knows
 * which account it is, and may read all its keys for each row, where it expects few (docs/decisions/plans.md).
 */
export function joinRolled(accountId: AccountId, row: "open_day" | "open_model_day"): Prisma.Sql {
  return Prisma.sql`LEFT JOIN rolled_key rolled ON ${isOfAccount("rolled", accountId)}
        AND ${Prisma.raw(`rolled.account_id = (${row}.account_id || '') AND rolled.key_id = ${row}.key_id`)}`;
}

/** The rows `moved` of keys that changed their group since the first roll-up, and of each its `rolled` and its `key`. */
export const movedKeys = (accountId: AccountId) => Prisma.sql`moved_key moved
        CROSS JOIN LATERAL (
          SELECT group_id FROM rolled_key WHERE account_id = ${accountId} AND key_id = moved.key_id LIMIT 1
        ) AS rolled
        CROSS JOIN LATERAL ${keyNamed(accountId, Prisma.sql`moved.key_id`)} AS key`;

/** The parts of what the account spent on each day. */
export function accountDays(accountId: AccountId, { from, to }: DayRange): Prisma.Sql {
  return Prisma.sql`account_day AS (
      SELECT first AS day, spent, captures FROM spend_span
      WHERE account_id = ${accountId} AND kind = 'account' AND days = 1 AND first BETWEEN ${from}::date AND ${to}::date
      UNION ALL SELECT day, spent, captures FROM open_day
    )`;
}

/**
 * What groups spent beside their spans: what is not rolled up yet, and the days of keys that changed their group since the
 * first roll-up, less in the one group and more in the other. A key counts in the group that it is in now. It reads `open_of_key`.
 */
export function sinceRollUp(accountId: AccountId, range: DayRange): Prisma.Sql {
  return Prisma.sql`since_roll_up AS MATERIALIZED (
      SELECT id, day, sum(spent) AS spent, sum(captures) AS captures FROM (
        SELECT coalesce(rolled_group_id, current.group_id, '') AS id, day, spent, captures
        FROM open_of_key
        LEFT JOIN LATERAL (
          SELECT group_id FROM api_key WHERE account_id = ${accountId} AND id = key_id AND rolled_group_id IS NULL LIMIT 1
        ) AS current ON true
        UNION ALL
        SELECT change.id, total.day, change.sign * total.spent, change.sign * total.captures
        FROM ${movedKeys(accountId)}
        CROSS JOIN LATERAL (
          SELECT * FROM key_day
          WHERE account_id = ${accountId} AND ${isOfKeyWithin(Prisma.sql`moved.key_id`, range)}
          OFFSET 0
        ) AS total
        CROSS JOIN LATERAL (VALUES (rolled.group_id, -1), (coalesce(key.group_id, ''), 1)) AS change (id, sign)
        WHERE moved.account_id = ${accountId}
      ) AS part GROUP BY id, day
    )`;
}

/**
 * The keys of a group that spent. Those of old days are found by the group of their roll-up. Those that changed their group
 * since, and those that spent nothing before, are looked up. Each is there once, because its days are joined with it; a key may
 * have changed its group before its first roll-up. It reads `open_of_key` of this group.
 */
export function membersOf(accountId: AccountId, groupId: string): Prisma.Sql {
  return Prisma.sql`member AS MATERIALIZED (
      SELECT key_id AS id FROM rolled_key rolled
      WHERE group_id = ${groupId} AND ${isOfAccount("rolled", accountId)}
        AND (key_id IN (SELECT key_id FROM moved_key WHERE account_id = ${accountId})) IS NOT TRUE
      UNION ALL
      SELECT moved.key_id FROM moved_key moved
      CROSS JOIN LATERAL ${keyNamed(accountId, Prisma.sql`moved.key_id`)} AS key
      WHERE moved.account_id = ${accountId} AND key.group_id = ${groupId}
      UNION ALL
      (
        SELECT key_id FROM open_of_key WHERE rolled_group_id IS NULL
        EXCEPT SELECT key_id FROM moved_key WHERE account_id = ${accountId}
      )
    )`;
}
