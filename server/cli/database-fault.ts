import { causeOf, isDatabaseUnavailable } from "../db/failure";
import { type Outage, outageOf } from "../db/outage";

/** Causes that a wrong address has. */
const OF_ADDRESS: readonly Outage["cause"][] = [
  "database_host_unknown",
  "database_refuses_login",
  "database_missing",
  "database_refuses_parameter",
  "database_certificate",
  "database_without_tls",
];

/** SQLSTATEs whose message says what exactly is refused: a role, a database, a table, a parameter. It names no value of a row. */
const TELLING = /^(28...|3D000|42501|08P01|22023|42704)$/;
/** A table, or a column of one, is missing. */
const WITHOUT_TABLES = /^(42P01|42703)$/;
/** Somebody else has a lock, or wanted the same rows. */
const TAKEN = /^(55P03|40...)$/;

/**
 * What is wrong with the database, in one sentence for an operator at the command line. Undefined: the error has another cause.
 * The sentence has no part of an address but a parameter and the names of role and database, because an address has the password.
 * @param settings which settings may have the address.
 */
export function databaseFault(error: unknown, settings = "DATABASE_URL or MIGRATION_DATABASE_URL"): string | undefined {
  const { cause, message } = outageOf(error);
  // The same words for all of these: nothing can be said but that it does not answer.
  if (cause === "database_unreachable") return "the database cannot be reached";
  if (cause === "database_error") {
    // Only the error itself: a migration that fails so has a sentence of its own, which names the migration.
    if (error instanceof Error && "code" in error && WITHOUT_TABLES.test(String(error.code)))
      return `the database does not have the tables of this version (${error.message}); run allowance migrate, or correct ${settings}`;
    if (findMessage(error, TAKEN) !== undefined) return "another process holds what this needs; try again";
    return isDatabaseUnavailable(error) ? "the database cannot be reached" : undefined;
  }
  const told = findMessage(error, TELLING);
  const because = told === undefined ? "" : ` (${told})`;
  if (cause === "database_denies_write")
    return `the role of the database may not do this${because}; allowance doctor says which right is missing`;
  return `${message}${because}${OF_ADDRESS.includes(cause) ? `; correct ${settings}` : ""}`;
}

/** PostgreSQL's own words for the first cause with such a SQLSTATE. */
function findMessage(error: unknown, states: RegExp): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Object && depth < 8; cause = causeOf(cause), depth++) {
    const { code, originalCode, message } = cause as Record<string, unknown>;
    if (states.test(String(originalCode ?? code))) return String(message);
  }
  return undefined;
}
