import { isOfAccounts } from "@/server/db/account-scope";
import { type Statement, statement } from "@/server/db/statement";
import { mayWrite } from "@/server/db/write-stop";

// What decisions write. Each statement writes rows of keys that the transaction has locked, so that the counters are
// written as they are after the decisions, and two transactions never write one row at the same time. Amounts are decimal
// numbers as text. Where a decision was by what the process knows, of keys and of who asks, and that was wrong, none of
// them writes (`mayWrite`).

/** The types of the parameters of a statement, and its text. */
type Text = [parameters: string[], text: string];

/** The key that a listed row is of. */
interface KeyOfRow {
  accountId: string;
  keyId: string;
  /** What is joined to the row. */
  join: string;
}

/** As it is listed. */
const listedKey = (row: string): KeyOfRow => ({ accountId: `${row}.account_id`, keyId: `${row}.key_id`, join: "" });

/**
 * As it is read from its locked row. A distributed database inserts where the rows are that it reads: without this, it would
 * bring the rows to the coordinator and copy them from there.
 */
const readKey = (row: string): KeyOfRow => ({
  accountId: "key.account_id",
  keyId: "key.id",
  join: `
  CROSS JOIN LATERAL (
    SELECT account_id, id
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = ${row}.account_id AND one.id = ${row}.key_id
    LIMIT 1
  ) key`,
});

/**
 * The moment in so many seconds; NULL where they are NULL. It is cut to the milliseconds that are stored: rounded up, it could
 * come to stand in the next second, and a repeated request would answer that. Where an expression depends on the settings of the session, as the
 * sum of a `timestamptz` and an interval does, a distributed database computes it only without the columns of a row. In UTC
 * without a zone, the sum depends on nothing.
 */
const momentIn = (seconds: string) =>
  `(date_trunc('milliseconds', now() AT TIME ZONE 'UTC') + make_interval(secs => ${seconds})) AT TIME ZONE 'UTC'`;

/** The counters of keys: `$1` to `$11` as named below. `$12` is how long the first of the new holds lasts, in seconds; NULL: none was granted. */
export const WRITE_COUNTERS = statement<Record<string, never>>(
  "write-counters",
  [
    ...["text[]", "text[]", "numeric[]", "numeric[]", "date[]", "numeric[]", "numeric[]", "date[]"],
    ...["numeric[]", "numeric[]", "integer[]", "integer[]"],
  ],
  `
  UPDATE api_key key SET
    spent = change.spent,
    held = change.held,
    day = change.day,
    day_spent = change.day_spent,
    day_held = change.day_held,
    month = change.month,
    month_spent = change.month_spent,
    month_held = change.month_held,
    open_holds = change.open_holds,
    held_until = LEAST(key.held_until, change.until),
    last_used_at = GREATEST(key.last_used_at, change.used_at)
  FROM (
    SELECT *, ${momentIn("ttl")} AS until, ${momentIn("0 * ttl")} AS used_at
    FROM unnest(
      $1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::date[], $6::numeric[], $7::numeric[], $8::date[],
      $9::numeric[], $10::numeric[], $11::int[], $12::int[]
    ) WITH ORDINALITY AS asked(
      account_id, key_id, spent, held, day, day_spent, day_held, month, month_spent, month_held, open_holds, ttl, place
    )
  ) change
  WHERE ${isOfAccounts("key", "$1")} AND key.account_id = change.account_id AND key.id = change.key_id AND ${mayWrite}`,
);

/** New authorizations, with the day and the month that they count in. */
const insertAuthorizations = ({ accountId, keyId, join }: KeyOfRow): Text => [
  ["text[]", "text[]", "text[]", "text[]", "numeric[]", "date[]", "date[]", "integer[]", "text[]", "jsonb[]"],
  `
  INSERT INTO "authorization" (account_id, id, key_id, request_id, amount, day, month, expires_at, gateway, quote)
  SELECT ${accountId}, granted.id, ${keyId}, request_id, amount, day, month, ${momentIn("ttl")}, gateway,
    quote
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::date[], $7::date[], $8::int[], $9::text[],
    $10::jsonb[]
  ) AS granted(account_id, id, key_id, request_id, amount, day, month, ttl, gateway, quote)${join}
  WHERE ${mayWrite}`,
];

/**
 * What authorizations have become. `$4` is what was captured; NULL: nothing. `$7` are the tokens; NULL: by an amount. One that
 * is found to have expired was settled when its time was over.
 */
export const SETTLE_AUTHORIZATIONS = statement<Record<string, never>>(
  "settle-authorizations",
  ["text[]", "text[]", "text[]", "numeric[]", "boolean[]", "boolean[]", "jsonb[]"],
  `
  UPDATE "authorization" settled SET
    state = change.state,
    captured = change.captured,
    overrun = change.overrun,
    late = change.late,
    usage = change.usage,
    settled_at = CASE WHEN change.state = 'expired' THEN settled.expires_at ELSE now() END
  FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::boolean[], $6::boolean[], $7::jsonb[])
    WITH ORDINALITY AS change(account_id, id, state, captured, overrun, late, usage, place)
  WHERE ${isOfAccounts("settled", "$1")} AND settled.account_id = change.account_id AND settled.id = change.id
    AND ${mayWrite}`,
);

/** One line of the ledger for each capture. */
const insertLedger = ({ accountId, keyId, join }: KeyOfRow): Text => [
  [
    ...["text[]", "text[]", "text[]", "date[]", "numeric[]", "boolean[]", "boolean[]"],
    ...["text[]", "integer[]", "integer[]", "integer[]"],
  ],
  `
  INSERT INTO ledger (account_id, authorization_id, key_id, day, amount, overrun, late, model, input_tokens,
    cached_input_tokens, output_tokens)
  SELECT ${accountId}, authorization_id, ${keyId}, day, amount, overrun, late, model, input_tokens, cached_input_tokens,
    output_tokens
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::date[], $5::numeric[], $6::boolean[], $7::boolean[],
    $8::text[], $9::int[], $10::int[], $11::int[]
  ) AS captured(account_id, authorization_id, key_id, day, amount, overrun, late, model, input_tokens,
    cached_input_tokens, output_tokens)${join}
  WHERE ${mayWrite}`,
];

/** Adds captures to the totals of the days, so that a chart never reads the ledger. One row for each key and day. */
const addToDays = ({ accountId, keyId, join }: KeyOfRow): Text => [
  ["text[]", "text[]", "date[]", "numeric[]", "integer[]"],
  `
  INSERT INTO key_day AS total (account_id, key_id, day, spent, captures)
  SELECT ${accountId}, ${keyId}, captured.day, captured.spent, captured.captures
  FROM unnest($1::text[], $2::text[], $3::date[], $4::numeric[], $5::int[])
    AS captured(account_id, key_id, day, spent, captures)${join}
  WHERE ${mayWrite}
  ON CONFLICT (account_id, key_id, day)
    DO UPDATE SET spent = total.spent + EXCLUDED.spent, captures = total.captures + EXCLUDED.captures`,
];

/**
 * Adds captures with a model to the totals of the days by model. One row for each key, day and model; tokens that are not
 * known add nothing.
 */
const addToModelDays = ({ accountId, keyId, join }: KeyOfRow): Text => [
  ["text[]", "text[]", "date[]", "text[]", "numeric[]", "integer[]", "bigint[]", "bigint[]", "bigint[]"],
  `
  INSERT INTO model_day AS total (account_id, key_id, day, model, spent, captures, input_tokens, cached_input_tokens,
    output_tokens)
  SELECT ${accountId}, ${keyId}, day, model, spent, captures, input_tokens, cached_input_tokens, output_tokens
  FROM unnest(
    $1::text[], $2::text[], $3::date[], $4::text[], $5::numeric[], $6::int[], $7::bigint[], $8::bigint[], $9::bigint[]
  ) AS captured(account_id, key_id, day, model, spent, captures, input_tokens, cached_input_tokens, output_tokens)${join}
  WHERE ${mayWrite}
  ON CONFLICT (account_id, key_id, day, model) DO UPDATE SET
    spent = total.spent + EXCLUDED.spent,
    captures = total.captures + EXCLUDED.captures,
    input_tokens = total.input_tokens + EXCLUDED.input_tokens,
    cached_input_tokens = total.cached_input_tokens + EXCLUDED.cached_input_tokens,
    output_tokens = total.output_tokens + EXCLUDED.output_tokens`,
];

/** Adds refusals to the counts of the day that the key is in. One row for each key and reason. */
const addRefusals = ({ accountId, keyId, join }: KeyOfRow): Text => [
  ["text[]", "text[]", "date[]", "text[]", "integer[]"],
  `
  INSERT INTO refusal_day AS total (account_id, key_id, day, code, count)
  SELECT ${accountId}, ${keyId}, refused.day, refused.code, refused.count
  FROM unnest($1::text[], $2::text[], $3::date[], $4::text[], $5::int[])
    AS refused(account_id, key_id, day, code, count)${join}
  WHERE ${mayWrite}
  ON CONFLICT (account_id, key_id, day, code) DO UPDATE SET count = total.count + EXCLUDED.count`,
];

/**
 * How many refusals of a key, a day and a reason are listed one by one. After these, every tenth is, up to ten times as many;
 * then every hundredth, and so on. So a gateway that asks again and again fills no disk, and its last calls are still seen.
 */
const LISTED_REFUSALS_DIGITS = 3;

/**
 * Single refusals, for the activity of a key. `$5` is how many refusals of the same key, day and reason came later in the
 * batch: with the count that `addRefusals` has written, it says which refusal of the day this one is.
 */
export const INSERT_REFUSALS = statement<Record<string, never>>(
  "insert-refusals",
  [
    ...["text[]", "text[]", "date[]", "text[]", "integer[]", "text[]", "numeric[]", "text[]", "text[]", "text[]"],
    ...["numeric[]", "numeric[]"],
  ],
  `
  INSERT INTO refusal (account_id, key_id, id, code, amount, request_id, gateway, model, price, ceiling)
  SELECT total.account_id, total.key_id, refused.id, refused.code, amount, request_id, gateway, model, price, ceiling
  FROM unnest(
    $1::text[], $2::text[], $3::date[], $4::text[], $5::int[], $6::text[], $7::numeric[], $8::text[], $9::text[],
    $10::text[], $11::numeric[], $12::numeric[]
  ) AS refused(account_id, key_id, day, code, later, id, amount, request_id, gateway, model, price, ceiling)
  CROSS JOIN LATERAL (
    SELECT account_id, key_id, count - refused.later AS number
    FROM refusal_day one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = refused.account_id AND one.key_id = refused.key_id
      AND one.day = refused.day AND one.code = refused.code
    LIMIT 1
  ) total
  WHERE ${mayWrite} AND number % (10 ^ GREATEST(length((number - 1)::text) - ${LISTED_REFUSALS_DIGITS}, 0))::int = 0`,
);

type Insertion = Statement<Record<string, never>>;

/** What decisions insert. */
export interface Insertions {
  authorizations: Insertion;
  ledger: Insertion;
  days: Insertion;
  modelDays: Insertion;
  refusalCounts: Insertion;
}

/** Where all rows are on one server: to look up each key again takes a twentieth of what a decision costs PostgreSQL. */
export const INSERTIONS_ON_ONE_SERVER: Insertions = {
  authorizations: statement("insert-authorizations", ...insertAuthorizations(listedKey("granted"))),
  ledger: statement("insert-ledger", ...insertLedger(listedKey("captured"))),
  days: statement("add-to-days", ...addToDays(listedKey("captured"))),
  modelDays: statement("add-to-model-days", ...addToModelDays(listedKey("captured"))),
  refusalCounts: statement("add-refusals", ...addRefusals(listedKey("refused"))),
};

/** For rows on any number of servers. */
export const INSERTIONS_ON_SEVERAL_SERVERS: Insertions = {
  authorizations: statement("insert-authorizations-by-key", ...insertAuthorizations(readKey("granted"))),
  ledger: statement("insert-ledger-by-key", ...insertLedger(readKey("captured"))),
  days: statement("add-to-days-by-key", ...addToDays(readKey("captured"))),
  modelDays: statement("add-to-model-days-by-key", ...addToModelDays(readKey("captured"))),
  refusalCounts: statement("add-refusals-by-key", ...addRefusals(readKey("refused"))),
};
