import { expect, test } from "vitest";
import { databaseFault } from "./database-fault";

const failing = (code: string, message = "", rest: object = {}) => Object.assign(new Error(message), { code, ...rest });

test.each([
  [
    "28P01",
    'password authentication failed for user "a"',
    /^the database refuses the user or the password .*\(password authentication failed for user "a"\); correct DATABASE_URL/,
  ],
  ["28000", 'role "a" does not exist', /\(role "a" does not exist\); correct DATABASE_URL/],
  ["3D000", 'database "x" does not exist', /does not exist \(database "x" does not exist\); correct DATABASE_URL/],
  [
    "42501",
    "permission denied for schema public",
    /^the role of the database may not do this \(permission denied for schema public\); allowance doctor says which right is missing$/,
  ],
  [
    "08P01",
    "unsupported startup parameter: statement_timeout",
    /refuses a parameter .*\(unsupported startup parameter: statement_timeout\)/,
  ],
  [
    "22023",
    'invalid value for parameter "statement_timeout": "abc"',
    /refuses a parameter .*\(invalid value for parameter "statement_timeout": "abc"\); correct DATABASE_URL/,
  ],
  [
    "42704",
    'unrecognized configuration parameter "jot"',
    /refuses a parameter .*\(unrecognized configuration parameter "jot"\); correct DATABASE_URL/,
  ],
  ["ENOTFOUND", "getaddrinfo ENOTFOUND db", /^the host name of the database cannot be resolved; correct DATABASE_URL/],
  ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1", /^the database cannot be reached$/],
  ["53300", "sorry, too many clients already", /^the database has no free connection$/],
  ["53100", "could not extend file", /^the disk of the database is full$/],
  ["25006", "cannot execute INSERT in a read-only transaction", /^the database only reads/],
  ["55P03", "canceling statement due to lock timeout", /try again$|does not answer/],
])("%s", (code, message, sentence) => {
  expect(databaseFault(failing(code, message))).toMatch(sentence);
  expect(databaseFault(new Error("the migration failed", { cause: failing(code, message) }))).toMatch(sentence);
});

test("an error of something else is none of the database", () => {
  expect(databaseFault(new Error("no"))).toBeUndefined();
  expect(databaseFault(failing("42601", "syntax error"))).toBeUndefined();
});

test("tables that are missing are told, but not in the place of a migration that fails because of them", () => {
  const missing = failing("42P01", 'relation "ledger" does not exist');
  expect(databaseFault(missing)).toMatch(
    /tables of this version \(relation "ledger" does not exist\); run allowance migrate, or correct DATABASE_URL/,
  );
  expect(databaseFault(new Error("the migration failed", { cause: missing }))).toBeUndefined();
});
