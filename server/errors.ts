import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { ZodError } from "zod";
import { isDatabaseUnavailable } from "./db/failure";
import { describeFaults } from "./input/expectation";

/** An operation that failed inside, with words that may be shown (contract, section 7.2: creation of a key). */
export class OperationFailed extends TRPCError {
  constructor(message: string, cause: unknown) {
    super({ code: "INTERNAL_SERVER_ERROR", message, cause });
  }
}

/** A call that would not be authorized, where the answer is the status: for a proxy that looks at nothing else. */
export class CallRefused extends TRPCError {
  constructor(
    code: "UNAUTHORIZED" | "FORBIDDEN",
    message: string,
    /** The first obstacle. */
    readonly refusal: string,
  ) {
    super({ code, message });
  }
}

/** What a caller learns of an error, at every door: never a stack, an SQL text or a key. */
export interface PublicError {
  status: number;
  message: string;
  /** Names the error, for a page that says it in the visitor's language. */
  code?: string;
  /** Why a call would not be authorized. */
  refusal?: string;
}

/**
 * The one translation of errors. Bad input is 400 and names each parameter; a database that is unreachable or too
 * busy is 503; whatever nobody foresaw is 500 with no detail.
 */
export function publicError(error: TRPCError): PublicError {
  if (error.cause instanceof ZodError) return { status: 400, message: describeFaults(error.cause.issues) };
  if (error instanceof OperationFailed) return { status: 500, message: error.message };
  if (error instanceof CallRefused) {
    return { status: getHTTPStatusCodeFromError(error), message: error.message, refusal: error.refusal };
  }
  if (isDatabaseUnavailable(error.cause)) {
    return { status: 503, message: "the database cannot be reached or is too busy; try again later" };
  }
  const status = getHTTPStatusCodeFromError(error);
  return { status, message: status >= 500 ? "internal error" : error.message };
}
