import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/router";

/** Why a call failed: the session has ended, no answer came, the server refused the call, or broke on it. */
export type Failure =
  | { kind: "signed-out" | "unreachable" }
  | {
      kind: "refused" | "broken";
      /** The HTTP status. 409 means that somebody else has made a change meanwhile. */
      status: number;
      /** Names the failure: one of server/errors/catalogue.ts. Absent when tRPC itself has refused the call. */
      code: string | undefined;
      /** The values in the sentence. */
      values: Readonly<Record<string, string | number>>;
      /** What the server says, in English. */
      sentence: string;
    };

/** What an error of a query or a mutation means. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return { kind: "unreachable" };
  const { data, message } = error as TRPCClientError<AppRouter>;
  // An answer that is not tRPC's comes from a proxy in front of the server.
  if (!data) return { kind: "unreachable" };
  const status = data.httpStatus;
  if (status === 401) return { kind: "signed-out" };
  return { kind: status >= 500 ? "broken" : "refused", status, ...data.failure, sentence: message };
}
