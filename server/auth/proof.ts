import type { Database } from "../db/client";
import { errors } from "../errors/catalogue";
import { failWith } from "../errors/public-error";
import type { AccountId } from "./account-id";
import { findProof } from "./queries";

/** For how long a sign-in, or a proof since, counts. In seconds. */
const PROOF_SECONDS = 15 * 60;

/** The caller whose proof is asked for. */
export interface ProvenCaller {
  db: Database;
  accountId: AccountId;
  /** Absent: the caller has sent a default key, which is a proof by itself. */
  sessionId?: string | undefined;
}

/** Whether the caller has signed in, or proved by password or passkey who they are, in the last 15 minutes. */
export async function isProven({ db, accountId, sessionId }: ProvenCaller): Promise<boolean> {
  return sessionId === undefined || (await findProof(db, accountId, sessionId, PROOF_SECONDS));
}

/**
 * Lets a procedure go on only with such a proof (docs/api.md#proof). Procedures that replace the default key, change how
 * the account signs in, or delete something call it before they change anything.
 * @throws {TRPCError} `proof_required`. The dashboard then asks for the proof, and calls the procedure again.
 */
export async function requireProof(caller: ProvenCaller): Promise<void> {
  if (!(await isProven(caller))) throw failWith(errors.proofRequired());
}
