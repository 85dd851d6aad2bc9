import type { Database } from "./client";

/** SQLSTATE of an invalid parameter value. */
const INVALID_PARAMETER = "22023";

/** Whether the database knows the zone. The database computes with it, and its list differs from that of Node.js. */
export async function isKnownTimeZone({ pool }: Pick<Database, "pool">, name: string): Promise<boolean> {
  try {
    // The view pg_timezone_names would read hundreds of files.
    await pool.query("SELECT now() AT TIME ZONE $1", [name]);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === INVALID_PARAMETER) return false;
    throw error;
  }
}
