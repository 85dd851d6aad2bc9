import { headers } from "next/headers";
import { cache } from "react";
import type { Account } from "@/server/accounts/schema";
import { callerFor } from "@/server/page-caller";

/** Who sends this request; `away` when that cannot be found out at this moment. */
export type Session = { state: "signed-in"; account: Account } | { state: "signed-out" } | { state: "away" };

/** The session of this request, looked up once. */
export const readSession = cache(async (): Promise<Session> => {
  const sent = await headers();
  if (!sent.has("cookie")) return { state: "signed-out" };
  try {
    return { state: "signed-in", account: await callerFor(sent).accounts.me() };
  } catch (error) {
    return { state: codeOf(error) === "UNAUTHORIZED" ? "signed-out" : "away" };
  }
});

/** By name: the class of the error belongs to the server's bundle. */
function codeOf(error: unknown): unknown {
  return error instanceof Object && "code" in error ? error.code : undefined;
}
