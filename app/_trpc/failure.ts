import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/router";

/** Why a call failed: the session has ended, no answer came, the server refused the call, or broke on it. */
export type Failure =
  | { kind: "signed-out" | "unreachable" }
  /** `sentence` is the server's, `status` the HTTP one (409 is a change by somebody else). */
  | { kind: "refused" | "broken"; status: number; sentence: string };

/** What an error of a query or a mutation means. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return { kind: "unreachable" };
  const { data, message } = error as TRPCClientError<AppRouter>;
  // An answer that is not tRPC's comes from something between here and the server.
  if (!data) return { kind: "unreachable" };
  const status = data.httpStatus;
  if (status === 401) return { kind: "signed-out" };
  return { kind: status >= 500 ? "broken" : "refused", status, sentence: message };
}
