import { type KeyReference, keyOfRow } from "../auth/key-owner";
import { isOfAccounts } from "../db/account-scope";
import type { Database } from "../db/client";
import { isExpiredHold } from "../keys/state";

/** Keys of all accounts with expired holds that are not released yet: at most 1000 at a time. */
export async function listKeysWithExpired({ pool }: Pick<Database, "pool">): Promise<KeyReference[]> {
  const { rows } = await pool.query<{ account_id: string; key_id: string }>(
    `SELECT DISTINCT account_id, key_id
      FROM "authorization" hold
      WHERE ${isExpiredHold("hold")}
      LIMIT 1000`,
  );
  return rows.map(keyOfRow);
}

/**
 * Deletes authorizations that were settled more than `days` days ago. The daily totals keep their amounts. An id begins
 * with the time of its creation, so the primary key finds the old ones.
 * @returns how many: at most 1000 of each account at a time.
 */
export function deleteSettled(db: Pick<Database, "pool" | "distribution">, days: number): Promise<number> {
  return deleteOfAllAccounts(db, DELETE_SETTLED, days);
}

/** Deletes single refusals from more than `days` days ago. Their counts stay. Returns how many, as `deleteSettled` does. */
export function deleteRefusals(db: Pick<Database, "pool" | "distribution">, days: number): Promise<number> {
  return deleteOfAllAccounts(db, DELETE_REFUSALS, days);
}

async function deleteOfAllAccounts(
  { pool, distribution }: Pick<Database, "pool" | "distribution">,
  statement: string,
  days: number,
): Promise<number> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM account");
  let count = 0;
  for (const accounts of distribution.partsOf(rows.map(({ id }) => id))) {
    count += (await pool.query(statement, [accounts, days])).rowCount ?? 0;
  }
  return count;
}

const DELETE_SETTLED = `DELETE FROM "authorization" old
      USING (
        SELECT due.account_id, due.id
        FROM unnest($1::text[]) AS asked(account_id)
        CROSS JOIN LATERAL (
          SELECT account_id, id
          FROM "authorization" one
          WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id
            AND id < to_hex(extract(epoch FROM now() - make_interval(days => $2))::bigint)
            AND state <> 'held'
            AND settled_at < now() - make_interval(days => $2)
          ORDER BY id
          LIMIT 1000
          FOR UPDATE SKIP LOCKED
        ) due
      ) due
      WHERE ${isOfAccounts("old", "$1")} AND old.account_id = due.account_id AND old.id = due.id`;

// The primary key begins with the account and the day, so the old ones are found without a look at the others.
const DELETE_REFUSALS = `DELETE FROM refusal old
      USING (
        SELECT due.account_id, due.recorded_on, due.key_id, due.id
        FROM unnest($1::text[]) AS asked(account_id)
        CROSS JOIN LATERAL (
          SELECT account_id, recorded_on, key_id, id
          FROM refusal one
          WHERE ${isOfAccounts("one", "$1")} AND one.account_id = asked.account_id
            AND recorded_on < (now() AT TIME ZONE 'UTC')::date - $2::int
          ORDER BY recorded_on
          LIMIT 1000
        ) due
      ) due
      WHERE ${isOfAccounts("old", "$1")} AND old.account_id = due.account_id AND old.recorded_on = due.recorded_on
        AND old.key_id = due.key_id AND old.id = due.id`;
