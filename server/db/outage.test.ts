import { expect, test } from "vitest";
import { isDatabaseUnavailable } from "./failure";
import { isOutage, outageOf } from "./outage";
import { PoolerError } from "./pooler";

const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

test.each([
  ["database_unreachable", withCode("ECONNREFUSED")],
  ["database_host_unknown", withCode("ENOTFOUND")],
  ["database_silent", new Error("timeout exceeded when trying to connect")],
  ["database_silent", new Error("Query read timeout")],
  ["database_connection_lost", new Error("Connection terminated unexpectedly")],
  ["database_starting", withCode("57P03", "the database system is starting up")],
  ["database_refuses_login", withCode("28P01", 'password authentication failed for user "secret"')],
  ["database_refuses_login", new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string")],
  ["database_missing", withCode("3D000", 'database "secret" does not exist')],
  ["database_refuses_parameter", withCode("08P01", "unsupported startup parameter: options")],
  ["database_certificate", withCode("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["database_without_tls", new Error("The server does not support SSL connections")],
  ["database_too_many_connections", withCode("53300")],
  ["database_disk_full", withCode("53100")],
  ["database_read_only", withCode("25006")],
  ["process_out_of_files", withCode("EMFILE")],
  ["database_unreachable", new Error("outer", { cause: withCode("ECONNREFUSED") })],
] as const)("%s: %s", (cause, error) => {
  const found = outageOf(error);
  expect(found.cause).toBe(cause);
  expect(found.message).not.toContain("secret");
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  ["database_files", withCode("42501", 'could not open file "pg_wal/1": Read-only file system')],
  ["database_files", withCode("58P01", 'could not open file "base/5/1259": No such file or directory')],
  ["database_files", withCode("58030", 'could not read blocks 0..0 in file "base/5/1259": Input/output error')],
  ["database_denies_write", withCode("42501", "permission denied for table readiness")],
] as const)("%s may be tried again later by a caller, and ends a start: %s", (cause, error) => {
  expect(outageOf(error).cause).toBe(cause);
  expect([isOutage(error), isDatabaseUnavailable(error)]).toEqual([true, false]);
});

test("a pooler says itself what to set; what nobody foresaw has a cause too", () => {
  expect(outageOf(new PoolerError("set this"))).toEqual({ cause: "pooler", message: "set this" });
  expect(outageOf(withCode("42P01", 'relation "secret"'))).toEqual({
    cause: "database_error",
    message: "the database answers with an error",
  });
});
