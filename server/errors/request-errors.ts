import { countOf } from "../input/count";
import { errors } from "./catalogue";
import { failure } from "./failure";

/** Failures before a procedure is called: of the request itself, or of a sign-in. */
export const requestErrors = {
  // Any request
  unknownPath: () => failure("unknown_path", 404, null, "unknown path"),
  noPath: () => failure("no_path", 400, null, "the request names no path"),
  metricsTokenMissing: () => failure("metrics_token_missing", 401, null, "the token for metrics is missing or wrong"),
  methodNotAllowed: (allowed: string) =>
    failure("method_not_allowed", 405, null, `method not allowed; allowed: ${allowed}`, { allowed }),
  fromAnotherSite: () =>
    failure(
      "from_another_site",
      403,
      null,
      "the request comes from another site; if it does not, PUBLIC_URL must name the address in use",
    ),
  batchTooLong: (calls: number) =>
    failure("batch_too_long", 400, null, `a batch may have at most ${calls} calls`, { calls }),
  tooManyPages: () =>
    failure("too_many_pages", 429, null, "too many pages are asked for at once; try again in 1 second", { seconds: 1 }),
  headersTooLarge: () => failure("headers_too_large", 431, "headers", "are too large"),
  requestTooSlow: () => failure("request_too_slow", 408, null, "the request did not arrive in time"),
  noHost: () => failure("no_host", 400, "Host", "is required"),
  severalHosts: () => failure("several_hosts", 400, "Host", "must be sent once"),
  unknownExpectation: () => failure("unknown_expectation", 417, "Expect", "must be 100-continue"),
  notHttp: () => failure("not_http", 400, null, "the request is not valid HTTP"),

  // A body
  notJsonType: () => failure("not_json_type", 400, "Content-Type", "must be application/json"),
  charsetNotUtf8: () => failure("charset_not_utf8", 400, "Content-Type", "the charset must be utf-8"),
  bodyNotJson: () => failure("body_not_json", 400, "body", "is not valid JSON"),
  bodyEncoded: () => failure("body_encoded", 400, "body", "must not be compressed or have another Content-Encoding"),
  bodyNotObject: () => failure("body_not_object", 400, "body", "must be a JSON object"),
  bodyCutOff: () => failure("body_cut_off", 400, "body", "ended before it was complete"),
  bodyOfTooManyParts: (most: number) =>
    failure("body_of_too_many_parts", 400, "body", `must have at most ${most} lists and objects`, { most }),
  bodyTooLong: (bytes: number) =>
    failure("body_too_long", 413, "body", `must be at most ${bytes} bytes long`, { bytes }),

  // Signing in. The codes have the form of better-auth's own.
  tooManyAttempts: (minutes: number) =>
    failure("TOO_MANY_ATTEMPTS", 429, null, `too many attempts; try again in ${countOf(minutes, "minute")}`, {
      minutes,
    }),
  wrongCredentials: () => failure("INVALID_EMAIL_OR_PASSWORD", 401, null, "Invalid email or password"),
  wrongPassword: () => failure("INVALID_PASSWORD", 400, null, "Invalid password"),
  secondFactorOff: () => failure("TWO_FACTOR_NOT_ENABLED", 400, null, "Two factor isn't enabled"),
  accountDisabled: () =>
    failure("ACCOUNT_DISABLED", 403, null, "the account is disabled; ask whoever runs this service"),
  alreadyLinked: () =>
    failure("ALREADY_LINKED", 409, null, "the account is linked to an identity already; unlink it first"),
  notOffered: (parameter: string) => failure("NOT_OFFERED", 400, parameter, "is not offered"),
  providerAway: () => failure("PROVIDER_AWAY", 503, null, "the single sign-on provider cannot be reached"),
  /** The same as `proof_required` of the catalogue, in the form of better-auth. */
  proofRequired: () => failure("PROOF_REQUIRED", 403, null, errors.proofRequired().message),
  signedOut: () => failure("SIGNED_OUT", 401, null, "the session is over; sign in again"),
  passkeyOfAnotherAccount: () =>
    failure("PASSKEY_OF_ANOTHER_ACCOUNT", 403, null, "the passkey belongs to another account"),
  passkeyUserNotVerified: () => failure("USER_NOT_VERIFIED", 401, null, "the passkey must verify its user"),
  passkeyNotVerified: () =>
    failure("FAILED_TO_VERIFY_REGISTRATION", 400, "response", "the passkey could not be verified"),
  /** @param faults one sentence that names each parameter at fault. */
  invalidSignInInput: (faults: string) => failure("INVALID_INPUT", 400, null, faults),
  /** @param reason why the account cannot be created, with the parameter at fault. */
  accountRefused: (reason: string) => failure("ACCOUNT_REFUSED", 400, null, reason),
  /** @param parameter the one that has the new password. */
  passwordTooCommon: (parameter: string) =>
    failure(
      "PASSWORD_TOO_COMMON",
      400,
      parameter,
      "is too easy to guess: it is one of the commonest passwords, or made of them",
    ),
  /** @param parameter the one that has the new password. */
  passwordMadeOfEmail: (parameter: string) =>
    failure("PASSWORD_MADE_OF_EMAIL", 400, parameter, "must not be made of the email address"),
  setUpLinkInvalid: () =>
    failure(
      "SET_UP_LINK_INVALID",
      403,
      null,
      "the set-up link is wrong, used or out of date; while there is no account, each start prints a new one",
    ),
};
