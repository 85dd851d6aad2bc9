/** Asks the owner to prove who they are. Resolves to whether they did. */
type Question = () => Promise<boolean>;

let question: Question | undefined;
let asking: Promise<boolean> | undefined;

/** Sets what asks the question: the dialog of the page that is open. */
export function provideQuestion(asked: Question | undefined): void {
  question = asked;
}

/**
 * Like `fetch`. When the server wants a proof that is newer, it asks the owner for one and sends the request again. So no
 * caller needs to know which requests want a proof. Without the proof, the answer is the server's refusal.
 */
export async function fetchWithProof(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  if (question === undefined || !(await wantsProof(response))) return response;
  // Requests that fail together are answered by one question.
  asking ??= question().finally(() => {
    asking = undefined;
  });
  return (await asking) ? fetch(address, init) : response;
}

async function wantsProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const answer = await response
    .clone()
    .json()
    .catch(() => undefined);
  // tRPC and the sign-in have each their own form of an error.
  return answer?.code === "PROOF_REQUIRED" || answer?.error?.data?.failure?.code === "proof_required";
}
