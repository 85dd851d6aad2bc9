import type { Database } from "../db/client";
import { requestErrors } from "../errors/request-errors";
import type { AccountId } from "./account-id";
import { endSession, noteProof } from "./queries";

/**
 * Turns a sign-in with a passkey into a proof of the session that is there already. The new session ends at once, and its
 * cookie never reaches the browser.
 * @param signIn better-auth's answer to the sign-in.
 * @returns the answer for the browser. It is refused when the passkey belongs to another account.
 */
export async function proofOfPasskey(
  signIn: Response,
  db: Database,
  { accountId, sessionId }: { accountId: AccountId; sessionId: string },
): Promise<Response> {
  if (signIn.status >= 400) return signIn;
  const { session, user } = await signIn.json();
  await endSession(db, session.id);
  if (user.id !== accountId) {
    const { status, message, code } = requestErrors.passkeyOfAnotherAccount();
    return Response.json({ message, code }, { status });
  }
  await noteProof(db, accountId, sessionId);
  return Response.json({});
}
