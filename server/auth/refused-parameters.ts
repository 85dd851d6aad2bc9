import { failWith } from "../errors/public-error";
import { requestErrors } from "../errors/request-errors";

/**
 * Parameters that better-auth knows and the product does not offer. Some would weaken a sign-in: a device that skips the
 * second factor for a month, an identity token in place of the way through the provider, or a session that a new passkey opens
 without a sign-in, which no history would have.
 */
const REFUSED = [
  "trustDevice",
  "disableSession",
  "createSession",
  "rememberMe",
  "idToken",
  "requestSignUp",
  "newUserCallbackURL",
  "scopes",
  "loginHint",
  "additionalParams",
  "additionalData",
];

/** @throws 400 that names the first parameter that is not offered. */
export function refuseParameters(body: Record<string, unknown>): void {
  const refused = REFUSED.find((name) => Object.hasOwn(body, name));
  if (refused !== undefined) throw failWith(requestErrors.notOffered(refused));
}
