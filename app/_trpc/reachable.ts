/** It needs the session and the database, as nearly all calls do. */
const ASKED = "/api/trpc/accounts.me";

/** Asks whether the server answers, and its database too. */
export async function isReachable(): Promise<boolean> {
  const answer = await fetch(ASKED, { cache: "no-store" }).catch(() => undefined);
  return answer !== undefined && answer.status < 500;
}
