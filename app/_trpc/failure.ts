import { TRPCClientError } from "@trpc/client";
import { AuthError } from "@/app/_auth/call";
import type { AppRouter } from "@/server/router";
import type { ToldFailure } from "./told-failure";

/** Why a call failed: the session has ended, no answer came, the server refused the call, or broke on it. */
export type Failure =
  | { kind: "signed-out" | "unreachable" }
  | (ToldFailure & {
      kind: "refused" | "broken";
      /** The HTTP status. 409 means that somebody else has made a change meanwhile. */
      status: number;
    });

/** What an error of a query or a mutation means. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return { kind: "unreachable" };
  const { data, meta } = error as TRPCClientError<AppRouter>;
  if (!data) return failureBeforeTrpc(meta);
  const status = data.httpStatus;
  if (status === 401) return { kind: "signed-out" };
  return { kind: status >= 500 ? "broken" : "refused", status, ...data.failure };
}

/** Whether a call, of the API or of the sign-in, failed without an answer of the server, which may have done it. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof AuthError) return error.code === "UNREACHABLE";
  return error !== undefined && failureOf(error).kind === "unreachable";
}

/** Whether somebody else has changed meanwhile what was to be changed. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** Whether the server did not find what was asked for, or was to be changed. */
export function isGone(error: unknown): boolean {
  return statusOf(error) === 404;
}

function statusOf(error: unknown): number | undefined {
  const failure = failureOf(error);
  return "status" in failure ? failure.status : undefined;
}

/** An answer that is not tRPC's: the server refused the request before, or a proxy in front of it has answered. */
function failureBeforeTrpc(meta: { responseJSON?: unknown; response?: { status?: number } } | undefined): Failure {
  const { code, values = {} } = (meta?.responseJSON ?? {}) as Partial<Pick<ToldFailure, "code" | "values">>;
  const status = meta?.response?.status;
  if (typeof code !== "string" || status === undefined) return { kind: "unreachable" };
  return { kind: "refused", status, code, values };
}
