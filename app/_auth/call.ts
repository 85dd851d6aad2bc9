import type { ToldFailure } from "../_trpc/told-failure";
import { fetchWithProof } from "./proof";

/** An error of better-auth, as the server writes it. */
export class AuthError extends Error {
  constructor(
    /** Code of the error, for example `INVALID_CODE`; `UNREACHABLE` if there was no answer. */
    readonly code: string,
    /** Seconds to wait before the next attempt, after too many attempts. */
    readonly retryAfter = 0,
    /** The values in the sentence, and what is wrong with each parameter. */
    readonly told: ToldFailure = { values: {} },
  ) {
    super(code);
  }
}

/**
 * Calls an endpoint of better-auth. With a body it is a POST request.
 * @throws {AuthError}
 */
export async function callAuth<Answer = unknown>(path: string, body?: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetchWithProof(`/api/auth${path}`, {
      ...(body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new AuthError("UNREACHABLE");
  }
  // A proxy in front of the server may answer without JSON.
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  // What is not in the shape of the server's errors comes from a proxy in front of it.
  const { code = answer.success === false ? "REFUSED" : "UNREACHABLE", values = {}, faults } = answer;
  throw new AuthError(code, Number(response.headers.get("retry-after") ?? 0), { code, values, faults });
}
