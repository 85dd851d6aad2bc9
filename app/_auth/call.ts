/** An error of signing in, with the server's code and sentence. */
export class AuthError extends Error {
  constructor(
    /** Names the error, `INVALID_CODE`; `UNREACHABLE` where no answer came. */
    readonly code: string,
    message: string,
    /** Seconds to wait before the next attempt, where there have been too many. */
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

/**
 * Calls the sign-in library: with a body it is a POST.
 * @throws {AuthError}
 */
export async function callAuth<Answer = unknown>(path: string, body?: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api/auth${path}`, {
      ...(body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new AuthError("UNREACHABLE", "");
  }
  // Something between here and the server may answer in other words.
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new AuthError(answer.code ?? "", answer.error ?? "", Number(response.headers.get("retry-after") ?? 0));
}
