import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { type core, ZodError, ZodRealError } from "zod";
import { isOutage } from "../db/outage";
import { describeFaults } from "../input/expectation";
import { type Fault, faultsOf } from "../input/fault";
import { errors } from "./catalogue";
import type { Failure } from "./failure";

/** tRPC's names for the statuses. */
const TRPC_CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  417: "BAD_REQUEST",
  429: "TOO_MANY_REQUESTS",
  431: "BAD_REQUEST",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const satisfies Record<Failure["status"], TRPCError["code"]>;

/** A call has failed for a reason that its caller may know. */
class CallFailed extends TRPCError {
  constructor(
    readonly failure: Failure,
    cause?: unknown,
  ) {
    super({ code: TRPC_CODES[failure.status], message: failure.message, cause });
  }
}

/** Makes the error to throw for a failure. `cause` goes into the log alone. */
export function failWith(failure: Failure, cause?: unknown): TRPCError {
  return new CallFailed(failure, cause);
}

/** Makes the error to throw for faults that no schema finds, because they are inside of a text. It is as if a schema had. */
export function failWithFaults(issues: core.$ZodIssue[]): TRPCError {
  return new TRPCError({ code: "BAD_REQUEST", cause: new ZodRealError(issues) });
}

/** The part of an error that its caller may know. An error that tRPC itself has thrown has no code. */
export type PublicError = Omit<Failure, "status" | "code" | "reason"> & {
  status: number;
  code?: string;
  /** What is wrong with each parameter, where the schema of the input says so. */
  faults?: readonly Fault[];
};

/**
 * Translates every error for its caller. Wrong input is 400 and names each parameter. A database that is away or too
 * busy is 503. An unexpected error is 500 without a detail.
 */
export function publicError(error: TRPCError): PublicError {
  const isOfInput = error.code === "BAD_REQUEST" && error.cause instanceof ZodError;
  if (isOfInput) {
    const { issues } = error.cause;
    return { ...told(errors.invalidInput(describeFaults(issues))), faults: faultsOf(issues) };
  }
  if (error instanceof CallFailed) return told(error.failure);
  if (isOutage(error.cause)) return told(errors.databaseAway());
  const status = getHTTPStatusCodeFromError(error);
  return status >= 500 ? { ...told(errors.internalError()), status } : { status, message: error.message, values: {} };
}

function told({ code, status, message, values, more }: Failure): PublicError {
  return { code, status, message, values, ...(more && { more }) };
}
