const TRIES_AGAIN_AFTER_SECONDS = "1";

/** The answer to an export that could not be begun. `sentence` is for the case that what it reads cannot be read now. */
export function failedExport(error: unknown, sentence: string): Response {
  switch (codeOf(error)) {
    case "UNAUTHORIZED":
      return new Response("sign in first\n", { status: 401 });
    case "TOO_MANY_REQUESTS":
      return new Response("too many requests at once; try again later\n", {
        status: 429,
        headers: { "Retry-After": TRIES_AGAIN_AFTER_SECONDS },
      });
    default:
      return new Response(`${sentence}\n`, { status: 503 });
  }
}

/** Whether an error says that the account has too much under way at once. */
export function isTooMuchAtOnce(error: unknown): boolean {
  return codeOf(error) === "TOO_MANY_REQUESTS";
}

/** `instanceof TRPCError` would fail: the class belongs to the bundle of the server. */
function codeOf(error: unknown): unknown {
  return error instanceof Object && "code" in error ? error.code : undefined;
}
