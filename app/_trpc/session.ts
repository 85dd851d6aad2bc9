import { headers } from "next/headers";
import { cache } from "react";
import type { Account } from "@/server/accounts/schema";
import { callerFor } from "@/server/page-caller";

/**
 * Who sends this request. `away` means that the database could not tell, `busy` that the account has too many requests under
 * way.
 */
export type Session = { state: "signed-in"; account: Account } | { state: "signed-out" | "away" | "busy" };

/** tRPC's codes that say something about the session. Any other one means that the database is away. */
const STATES = new Map<unknown, "signed-out" | "busy">([
  ["UNAUTHORIZED", "signed-out"],
  ["TOO_MANY_REQUESTS", "busy"],
]);

/** The session of this request. It is read once per request. */
export const readSession = cache(async (): Promise<Session> => {
  const sent = await headers();
  if (!sent.has("cookie")) return { state: "signed-out" };
  try {
    return { state: "signed-in", account: await callerFor(sent).accounts.me() };
  } catch (error) {
    return { state: STATES.get(codeOf(error)) ?? "away" };
  }
});

/** `instanceof TRPCError` would fail: the class belongs to the bundle of the server. */
function codeOf(error: unknown): unknown {
  return error instanceof Object && "code" in error ? error.code : undefined;
}
