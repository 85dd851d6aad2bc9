import { isOfAccounts } from "@/server/db/account-scope";
import { statement } from "@/server/db/statement";

// The row of a key is locked before anything of the key is read or written. This is a statement of its own, so that the
// next ones see what others committed while this one waited. The arrays are sorted, so that two transactions that wait for
// keys cannot meet in a deadlock.
//
// LATERAL … LIMIT 1 is a look-up of one row by its whole key, whatever PostgreSQL believes of the size of the table. The
// plan is kept while the table grows.
export const lockedKey = (columns: string, waiting: "" | "SKIP LOCKED") => `CROSS JOIN LATERAL (
    SELECT ${columns}
    FROM api_key one
    WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id AND one.id = asked.key_id
    LIMIT 1
    FOR NO KEY UPDATE ${waiting}
  ) key`;

const lockKeys = (waiting: "" | "SKIP LOCKED") => `
  SELECT asked.place::int AS place
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(account_id, key_id, place)
  ${lockedKey("one.id", waiting)}`;

/** A key that is locked now. */
export interface LockedRow {
  /** The place in the arrays, from 1 on. */
  place: number;
}

/** How long ago the transaction began, in seconds: after `LOCK_KEYS`, about how long that has waited. */
export const READ_WAIT = statement<{ seconds: number }>(
  "read-wait",
  [],
  "SELECT date_part('epoch', clock_timestamp() - transaction_timestamp()) AS seconds",
);

/** Locks the keys of the accounts `$1` with the ids `$2`, and waits for those that another transaction has locked. */
export const LOCK_KEYS = statement<LockedRow>("lock-keys", ["text[]", "text[]"], lockKeys(""));

/** Locks those keys that no other transaction has locked. It never waits. */
export const LOCK_FREE_KEYS = statement<LockedRow>("lock-free-keys", ["text[]", "text[]"], lockKeys("SKIP LOCKED"));
