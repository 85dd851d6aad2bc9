import { PoolerError } from "./pooler";

const CONNECTION_ERRORS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // No connection can be opened.
  "EMFILE",
  "ENFILE",
  // The certificate of the database.
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/**
 * SQLSTATEs of a database that can't serve now: 08 connection, 28 authorization and 3D000 unknown database (both while
 * it is being set up), 53 resources, 57 shutdown and time-out, 55P03 lock time-out, 40001/40P01 conflicts, 25006 a
 * read-only standby, 25P03 a transaction that was left open too long.
 */
const BUSY_SQLSTATE = /^(08...|28...|3D000|53...|57...|55P03|40001|40P01|25006|25P03)$/;

/** Prisma's codes for the same: unreachable, timed out, closed, pool exhausted, conflict. */
const BUSY_PRISMA_CODES = new Set([
  "P1000",
  "P1001",
  "P1002",
  "P1003",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "P2034",
  "P2037",
]);

/** What Prisma's driver makes of errors of a connection, whose own codes it does not hand on. */
const BUSY_DRIVER_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TlsConnectionError"]);

/** What `pg` reports as a plain Error. */
const BUSY_MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|not queryable|Cannot use a pool after|does not support SSL|client password must be/i;

/**
 * Whether an error, or what caused it, means that the database is unreachable or too busy: the caller may try again
 * later. Everything else is a fault of the statement or of this program.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Object && depth < 8; cause = causeOf(cause), depth++) {
    const code = "code" in cause ? String(cause.code) : "";
    const message = "message" in cause ? String(cause.message) : "";
    if (cause instanceof PoolerError) return true;
    // A Unix socket that is not there; any other missing file is a fault of the installation.
    if (code === "ENOENT" && "syscall" in cause && cause.syscall === "connect") return true;
    const original = "originalCode" in cause ? String(cause.originalCode) : "";
    if (CONNECTION_ERRORS.has(code) || BUSY_PRISMA_CODES.has(code)) return true;
    if ("kind" in cause && BUSY_DRIVER_KINDS.has(String(cause.kind))) return true;
    if (BUSY_SQLSTATE.test(code) || BUSY_SQLSTATE.test(original) || BUSY_MESSAGE.test(message)) return true;
  }
  return false;
}

/**
 * Whether PostgreSQL refused a statement for what it asked: bad data (SQLSTATE class 22), a constraint (23), or a conflict
 * with another transaction (40). Nothing of the statement took effect.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && (/^(22|23|40)...$/.test(codeOf(error)) || constraintInMessage(error) !== undefined);
}

/**
 * Whether a batch that PostgreSQL refused may be tried again item by item: one of several, because another item may have been
 * the bad one; a single one, where another transaction came in between. That is a conflict (SQLSTATE class 40), or a row whose
 * partition was made meanwhile, which is the violation of a check without a name.
 */
export function mayPassAlone(error: unknown, count: number): boolean {
  if (!isRefused(error)) return false;
  const code = codeOf(error as Error);
  return count > 1 || /^40...$/.test(code) || (code === "23514" && violatedConstraint(error) === undefined);
}

/**
 * The name of the constraint that a statement violated, when an error of `pg` is that. A part of a distributed table has the
 * constraint under a name with a number behind it.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isNamed = /^23...$/.test(codeOf(error)) && "constraint" in error && error.constraint;
  const name = isNamed ? String(error.constraint) : constraintInMessage(error);
  return name?.replace(/_\d{5,}$/, "");
}

/**
 * The coordinator of a distributed database hands on what a worker refused: without the field of the constraint, and with
 * the SQLSTATE of an internal error where it had sent rows to the worker.
 */
function constraintInMessage(error: Error): string | undefined {
  if (!/^(23...|XX000)$/.test(codeOf(error))) return undefined;
  return / violates (?:unique|foreign key|check) constraint "(.+?)"/.exec(error.message)?.[1];
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

/** What caused an error, in the forms that Prisma and Node.js keep it. */
export function causeOf(error: object): unknown {
  if ("cause" in error && error.cause) return error.cause;
  // Prisma keeps the driver's error in its metadata.
  if ("meta" in error && error.meta instanceof Object && "driverAdapterError" in error.meta) {
    return error.meta.driverAdapterError;
  }
  // Several addresses of one host that all failed.
  return "errors" in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
}

/** The database has not been reached since the start, so that its migrations are not applied. */
export class DatabaseNotReady extends Error {
  /** SQLSTATE cannot_connect_now. */
  readonly code = "57P03";
}
