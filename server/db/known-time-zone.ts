import type { ClientBase, Pool } from "pg";

/** SQLSTATE of an invalid parameter value. */
const INVALID_PARAMETER = "22023";

/** In winter and in summer: clocks may be put forward and back in between. */
const MOMENTS = ["2026-01-01T12:00:00Z", "2026-07-01T12:00:00Z"];

/**
 * The name of a zone as lists spell it; undefined where the database does not know it. The database computes with it, and its
 * list differs from that of Node.js. Both read a name in any letter case.
 *
 * The database takes a short name like CET for an abbreviation, which has the same offset all year. Days would begin an hour
 * late in summer, and at another moment than the dashboard shows. So such a name is known only where both read it alike.
 */
export async function findTimeZone(client: Pool | ClientBase, name: string): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ time: string; is_abbreviation: boolean }>(
      `SELECT to_char(moment::timestamptz AT TIME ZONE $1, 'YYYY-MM-DD HH24:MI:SS') AS time,
        EXISTS (SELECT FROM pg_timezone_abbrevs WHERE abbrev = upper($1)) AS is_abbreviation
      FROM unnest($2::text[]) WITH ORDINALITY AS asked(moment, place) ORDER BY place`,
      [name, MOMENTS],
    );
    const times = MOMENTS.map((moment) => new Date(moment).toLocaleString("sv-SE", { timeZone: name }));
    if (rows.some(({ time, is_abbreviation }, place) => is_abbreviation && time !== times[place])) return undefined;
    if (Intl.supportedValuesOf("timeZone").includes(name)) return name;
    // The view reads hundreds of files. Few names come here: those of another spelling, and former ones.
    const listed = await client.query<{ name: string }>(
      "SELECT name FROM pg_timezone_names WHERE lower(name) = lower($1)",
      [name],
    );
    return listed.rows[0]?.name;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === INVALID_PARAMETER) return undefined;
    throw error;
  }
}
