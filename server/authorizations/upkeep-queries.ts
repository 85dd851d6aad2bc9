import { type KeyReference, keyOfRow } from "../auth/key-owner";
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
export async function deleteSettled({ pool }: Pick<Database, "pool">, days: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM "authorization" old
      USING (
        SELECT due.account_id, due.id
        FROM account
        CROSS JOIN LATERAL (
          SELECT account_id, id
          FROM "authorization"
          WHERE account_id = account.id
            AND id < to_hex(extract(epoch FROM now() - make_interval(days => $1))::bigint)
            AND state <> 'held'
            AND settled_at < now() - make_interval(days => $1)
          ORDER BY id
          LIMIT 1000
          FOR UPDATE SKIP LOCKED
        ) due
      ) due
      WHERE old.account_id = due.account_id AND old.id = due.id`,
    [days],
  );
  return rowCount ?? 0;
}
