import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";
import type { StoredQuote, StoredUsage } from "../quote";
import type { AuthorizationState } from "../schema";

/** An authorization that is stored. Amounts are decimal numbers as text. */
export interface AuthorizationRow {
  /** The place in the arrays, from 1 on. */
  place: number;
  key_id: string;
  id: string;
  amount: string;
  state: AuthorizationState;
  day: string;
  month: string;
  expires_at: number;
  is_over: boolean;
  captured: string | null;
  overrun: boolean;
  late: boolean;
  quote: StoredQuote | null;
  usage: StoredUsage | null;
}

const COLUMNS = `
    asked.place::int AS place,
    found.key_id,
    found.id,
    found.amount,
    found.state,
    found.day::text AS day,
    found.month::text AS month,
    floor(date_part('epoch', found.expires_at)) AS expires_at,
    found.expires_at <= now() AS is_over,
    found.captured,
    found.overrun,
    found.late,
    found.quote,
    found.usage`;

/**
 * Each authorization by its account, from `$1`, and its id, from `$2`. `place` is its place in these lists, from 1 on. No row
 * for one that does not exist.
 */
const BY_ID = `FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(account_id, id, place)
  CROSS JOIN LATERAL (
    SELECT *
    FROM "authorization" one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.id
    LIMIT 1
  ) found`;

/** Authorizations by the account and the id. */
export const READ_AUTHORIZATIONS = statement<AuthorizationRow>(
  "read-authorizations",
  ["text[]", "text[]"],
  `
  SELECT ${COLUMNS}
  ${BY_ID}`,
);

/**
 * Locks authorizations by the same. No row for one that has been deleted since it was read. One that is being deleted has none
 * either: the statement does not wait for the deletion.
 */
export const LOCK_AUTHORIZATIONS = statement<{ place: number }>(
  "lock-authorizations",
  ["text[]", "text[]"],
  `
  SELECT asked.place::int AS place
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(account_id, id, place)
  CROSS JOIN LATERAL (
    SELECT id
    FROM "authorization" one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  ) found`,
);

/** The keys that authorizations are on, by the same. */
export const FIND_KEYS_OF_AUTHORIZATIONS = statement<{ place: number; key_id: string }>(
  "find-keys-of-authorizations",
  ["text[]", "text[]"],
  `
  SELECT asked.place::int AS place, found.key_id
  ${BY_ID}`,
);

/** Authorizations by the account, `$1`, the key, `$2`, and what the caller calls the request, `$3`. */
export const READ_REQUESTS = statement<AuthorizationRow>(
  "read-requests",
  ["text[]", "text[]", "text[]"],
  `
  SELECT ${COLUMNS}
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked(account_id, key_id, request_id, place)
  CROSS JOIN LATERAL (
    SELECT *
    FROM "authorization" one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id
      AND one.key_id = asked.key_id AND one.request_id = asked.request_id
    LIMIT 1
  ) found`,
);
