import type { ClientBase, Pool } from "pg";

/**
 * How many statements wait for the transaction of a holder, or for one that waits for it.
 * @param watcher another connection.
 */
export async function countWaiting(watcher: Pick<Pool | ClientBase, "query">, holder: ClientBase): Promise<number> {
  const { rows } = await watcher.query(
    `WITH RECURSIVE waiting AS (
        SELECT $1::int AS pid
        UNION
        SELECT activity.pid FROM pg_stat_activity activity JOIN waiting ON waiting.pid = ANY(pg_blocking_pids(activity.pid))
      )
      SELECT count(*)::int - 1 AS count FROM waiting`,
    [(holder as ClientBase & { processID: number }).processID],
  );
  return rows[0].count;
}
