import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

/**
 * Does work that is due once for the whole database, whatever number of processes is at it: one of them does it, and the
 * others find it done until it is due again. When the work fails or its process is killed, another turn comes.
 * @param name of the work. Turns stand in the table `rate_limit`, beside the attempts of sign-ins.
 * @param pauseMs milliseconds from the beginning of a turn until the next one is due, by the clock of the database.
 */
export async function inTurn(pool: Pool, name: string, pauseMs: number, work: () => Promise<void>): Promise<void> {
  const key = `turn: ${name}`;
  const { rowCount } = await pool.query(TAKE, [randomUUID(), key, pauseMs]);
  if (rowCount === 0) return;
  try {
    await work();
  } catch (error) {
    await pool.query("DELETE FROM rate_limit WHERE key = $1", [key]).catch(() => {});
    throw error;
  }
}

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/**
 * Takes the turn where it is due. A turn that lies in the future by more than a pause was taken before the clock was set
 * back. One that lies a moment in the future was taken by another process, after this statement had read the clock. Each row
 * has an id of its own: of two that are inserted at once with one id, one would fail, because a conflict of ids is not named.
 */
const TAKE = `INSERT INTO rate_limit AS turn (id, key, count, last_request)
  VALUES ($1, $2, 1, ${NOW})
  ON CONFLICT (key) DO UPDATE SET last_request = EXCLUDED.last_request
  WHERE turn.last_request <= EXCLUDED.last_request - $3::bigint OR turn.last_request > EXCLUDED.last_request + $3::bigint
  RETURNING key`;
