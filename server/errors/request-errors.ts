import { failure } from "./failure";

/** Failures before a procedure is called: of the request itself, or of a sign-in. */
export const requestErrors = {
  // Any request
  unknownPath: () => failure("unknown_path", 404, null, "unknown path"),
  noPath: () => failure("no_path", 400, null, "the request names no path"),
  methodNotAllowed: (allowed: string) =>
    failure("method_not_allowed", 405, null, `method not allowed; allowed: ${allowed}`, { allowed }),
  fromAnotherSite: () =>
    failure(
      "from_another_site",
      403,
      null,
      "the request comes from another site; if it does not, PUBLIC_URL must name the address in use",
    ),
  headersTooLarge: () => failure("headers_too_large", 431, "headers", "are too large"),
  requestTooSlow: () => failure("request_too_slow", 408, null, "the request did not arrive in time"),
  notHttp: () => failure("not_http", 400, null, "the request is not valid HTTP"),

  // A body
  notJsonType: () => failure("not_json_type", 400, "Content-Type", "must be application/json"),
  charsetNotUtf8: () => failure("charset_not_utf8", 400, "Content-Type", "the charset must be utf-8"),
  bodyNotJson: () => failure("body_not_json", 400, "body", "is not valid JSON"),
  bodyNotObject: () => failure("body_not_object", 400, "body", "must be a JSON object"),
  bodyCutOff: () => failure("body_cut_off", 400, "body", "ended before it was complete"),
  bodyTooLong: (bytes: number) =>
    failure("body_too_long", 413, "body", `must be at most ${bytes} bytes long`, { bytes }),

  // Signing in. The codes have the form of better-auth's own.
  tooManyAttempts: (minutes: number) =>
    failure(
      "TOO_MANY_ATTEMPTS",
      429,
      null,
      `too many attempts; try again in ${minutes} minute${minutes === 1 ? "" : "s"}`,
      { minutes },
    ),
  providerAway: () => failure("PROVIDER_AWAY", 503, null, "the single sign-on provider cannot be reached"),
  passkeyUserNotVerified: () => failure("USER_NOT_VERIFIED", 401, null, "the passkey must verify its user"),
  /** @param faults one sentence that names each parameter at fault. */
  invalidSignInInput: (faults: string) => failure("INVALID_INPUT", 400, null, faults),
  /** @param reason why the account cannot be created, with the parameter at fault. */
  accountRefused: (reason: string) => failure("ACCOUNT_REFUSED", 400, null, reason),
  setUpLinkInvalid: () =>
    failure(
      "SET_UP_LINK_INVALID",
      403,
      null,
      "the set-up link is wrong, used or out of date; while there is no account, each start prints a new one",
    ),
};
