import { causeOf, isDatabaseUnavailable } from "./failure";
import { PoolerError } from "./pooler";

/** Why the process cannot serve from its database, for `/readyz` and the log. */
export interface Outage {
  /** Never changes for a cause, so that programs can compare it. */
  cause: Cause | "pooler";
  /** One sentence for people. It names no address, no role and no secret. */
  message: string;
}

/** Every cause but `pooler`, whose sentence says what to set. docs/operations.md says what to do about each. */
const SENTENCES = {
  starting: "the process is starting",
  migrations_pending: "the migrations of this version are not applied yet",
  database_unreachable: "nothing accepts connections at the address of the database",
  database_host_unknown: "the host name of the database cannot be resolved",
  database_silent: "the database does not answer",
  database_connection_lost: "the database closed the connection",
  database_starting: "the database is starting up or shutting down",
  database_refuses_login: "the database refuses the user or the password of its address",
  database_missing: "the database that the address names does not exist",
  database_refuses_parameter: "the database, or a pooler before it, refuses a parameter of its address",
  database_certificate: "the TLS certificate of the database is not accepted",
  database_without_tls: "the address of the database demands TLS, and the database has none",
  database_too_many_connections: "the database has no free connection",
  database_disk_full: "the disk of the database is full",
  database_out_of_memory: "the database has too little memory",
  database_files: "the database cannot read or write its files",
  process_out_of_files: "this process may not open any more files and connections",
  database_read_only: "the database only reads: it is a standby, or was made read-only",
  database_denies_write: "the role of the process may not write into its tables",
  database_error: "the database answers with an error",
} as const;

type Cause = keyof typeof SENTENCES;

/** SQLSTATEs, codes of Node.js for connections and certificates, by the cause that they mean. */
const CODES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: "database_unreachable",
  EHOSTUNREACH: "database_unreachable",
  ENETUNREACH: "database_unreachable",
  EACCES: "database_unreachable",
  ENOENT: "database_unreachable",
  ENOTFOUND: "database_host_unknown",
  EAI_AGAIN: "database_host_unknown",
  ETIMEDOUT: "database_silent",
  EMFILE: "process_out_of_files",
  ENFILE: "process_out_of_files",
  ECONNRESET: "database_connection_lost",
  EPIPE: "database_connection_lost",
  CERT_HAS_EXPIRED: "database_certificate",
  CERT_NOT_YET_VALID: "database_certificate",
  DEPTH_ZERO_SELF_SIGNED_CERT: "database_certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "database_certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "database_certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "database_certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "database_certificate",
  "25006": "database_read_only",
  "28000": "database_refuses_login",
  "28P01": "database_refuses_login",
  "3D000": "database_missing",
  "42501": "database_denies_write",
  "53100": "database_disk_full",
  "53200": "database_out_of_memory",
  "53300": "database_too_many_connections",
  "57014": "database_silent",
  "57P01": "database_starting",
  "57P02": "database_starting",
  "57P03": "database_starting",
  "58030": "database_files",
  "58P01": "database_files",
};

/** PostgreSQL has the SQLSTATE of a missing privilege for its own files too, where the system denies them or only reads. */
const DENIED_FILE = /^could not /;

/** What `pg` and poolers report by their words alone. */
const MESSAGES: readonly [RegExp, Cause][] = [
  [
    /unsupported startup parameter|invalid value for parameter|unrecognized configuration parameter/,
    "database_refuses_parameter",
  ],
  [/timeout/i, "database_silent"],
  [/does not support SSL/, "database_without_tls"],
  // The address has no password.
  [/client password must be/, "database_refuses_login"],
  [/terminated|not queryable/, "database_connection_lost"],
];

/** Describes a cause. */
export function outage(cause: Cause): Outage {
  return { cause, message: SENTENCES[cause] };
}

/** The cause behind an error of a connection or a statement. */
export function outageOf(error: unknown): Outage {
  let cause = error;
  for (let depth = 0; cause instanceof Object && depth < 8; cause = causeOf(cause), depth++) {
    if (cause instanceof PoolerError) return { cause: "pooler", message: cause.message };
    const { code, message } = cause as { code?: unknown; message?: unknown };
    if (code === "42501" && DENIED_FILE.test(String(message))) return outage("database_files");
    const known = CODES[String(code)] ?? MESSAGES.find(([pattern]) => pattern.test(String(message)))?.[1];
    if (known) return outage(known);
  }
  return outage("database_error");
}

/** A start ends with these, which waiting does not mend. */
const UNTIL_MENDED: ReadonlySet<Outage["cause"]> = new Set(["database_denies_write", "database_files"]);

/**
 * Whether the caller may try again later, because the database cannot serve now: it is away, or it lacks a right or its files
 * until somebody mends that.
 */
export function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) || UNTIL_MENDED.has(outageOf(error).cause);
}
