import { causeOf, isDatabaseUnavailable } from "../db/failure";

/** What an operator reads of each SQLSTATE. The first pattern that fits says it. */
const BY_SQLSTATE: readonly (readonly [RegExp, string])[] = [
  [/^28P01$/, "the database refuses the password; correct it in DATABASE_URL"],
  [/^28/, "the database does not let this user in; correct the user in DATABASE_URL, or allow it in pg_hba.conf"],
  [/^3D000$/, "the database does not exist; create it, or correct its name in DATABASE_URL"],
  [/^42501$/, "the role of the database may not do this"],
  [/^53100$/, "the disk of the database is full"],
  [/^53300$/, "the database has no free connection"],
  [/^57P03$/, "the database is starting or stopping; try again"],
  [/^57014$/, "the database did not answer in time"],
  [/^(55P03|40)/, "another process holds what this needs; try again"],
  [/^25006$/, "the database is read-only: it is a standby, or default_transaction_read_only is on"],
  [
    /^08P01$/,
    "the pooler in front of the database refuses a setting; it needs ignore_startup_parameters = statement_timeout",
  ],
];

const BY_CODE: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the database cannot be reached: nobody knows its host; correct it in DATABASE_URL"],
  [
    /^(SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT)/,
    "the certificate of the database is not accepted; see sslmode and sslrootcert in DATABASE_URL",
  ],
];

const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, "the database does not encrypt connections, and DATABASE_URL wants it to (sslmode)"],
  [/password must be a string|no password/i, "the database wants a password, and DATABASE_URL has none"],
];

/** Sentences that leave something open, which PostgreSQL's own message says. It names roles and tables, and no value of a row. */
const WITH_MESSAGE = /^(28(?!P01)|3D000|42501)/;

/**
 * What is wrong with the database, in one sentence for an operator. Undefined: the error has another cause. The sentence has
 * no part of a connection's address, because that contains the password.
 */
export function databaseFault(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Object && depth < 8; cause = causeOf(cause), depth++) {
    const code = "originalCode" in cause ? String(cause.originalCode) : "code" in cause ? String(cause.code) : "";
    const message = "message" in cause ? String(cause.message) : "";
    const known = find(BY_SQLSTATE, code) ?? find(BY_CODE, code) ?? find(BY_MESSAGE, message);
    if (known !== undefined) return WITH_MESSAGE.test(code) ? `${known} (${message})` : known;
  }
  return isDatabaseUnavailable(error) ? "the database cannot be reached" : undefined;
}

function find(sentences: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return sentences.find(([pattern]) => pattern.test(text))?.[1];
}
