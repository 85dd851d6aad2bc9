import { createHash } from "node:crypto";

// How often each step of a sign-in may be tried: the rules of docs/api.md#sign-in. `attempts.ts` counts.

/** How often one thing may be tried. */
export interface AttemptLimit {
  /** Names what is counted, and the address or account that it is counted for. */
  key: string;
  max: number;
  /** In seconds from the first attempt. After that, the count begins again at 1. */
  window: number;
  /** Whether a success counts as an attempt, does not count, or clears the count. */
  success: "counts" | "does not count" | "clears";
  /** A success is remembered under this key for 30 days. Where it is remembered, the limit refuses nothing. */
  exemption?: string;
}

/** In seconds. */
export const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;
/** Begins the key of each exemption. */
export const EXEMPTION = "known: ";
/** How long a success is remembered, in milliseconds. */
export const EXEMPTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The limits of attempts at a path below `/api/auth`. An unknown email is counted like that of an account.
 * @param email as it was sent.
 * @param network of the client: an IPv4 address, or 64 bits of IPv6.
 * @param accountId the account that the browser is signed in to; undefined: none.
 */
export function attemptLimits(
  path: string,
  { email, network, accountId }: { email: string; network: string; accountId: string | undefined },
): AttemptLimit[] {
  const byNetwork = (what: string, max: number, success: AttemptLimit["success"], window = QUARTER_HOUR) => ({
    key: `${what} from ${network}`,
    max,
    window,
    success,
  });
  switch (path) {
    case "/sign-in/email":
      return [byNetwork("sign-in", 30, "does not count"), ...emailLimits(email, network)];
    case "/two-factor/verify-totp":
    case "/two-factor/verify-backup-code":
    case "/passkey/verify-authentication":
    case "/prove/passkey":
    case "/set-up":
      return [byNetwork("sign-in", 30, "does not count")];
    case "/sign-up":
      // The sign-up of an email that has an account is refused like a wrong password, and counted like one.
      return [byNetwork("sign-up", 10, "counts", HOUR), ...emailLimits(email, network)];
    case "/sign-in/social":
    case "/link-social":
    case "/passkey/generate-authenticate-options":
      return [byNetwork("start", 100, "counts")];
    case "/change-password":
    case "/prove/password":
    case "/two-factor/enable":
    case "/two-factor/disable":
    case "/two-factor/generate-backup-codes":
      return [passwordLimit(accountId ?? network)];
    default:
      return [];
  }
}

/**
 * The limits of passwords for an email. One network alone is locked out after a few wrong ones. The limit for all networks
 * together is slower than one network can reach, and does not hold where the email has signed in before, so that a stranger
 * does not keep the owner out. An email without an account has the same limits.
 */
function emailLimits(email: string, network: string): AttemptLimit[] {
  const key = keyOfEmail(email);
  const fromHere = `${key} from ${network}`;
  return [
    { key: fromHere, max: 10, window: QUARTER_HOUR, success: "clears" },
    { key, max: 100, window: HOUR, success: "does not count", exemption: EXEMPTION + fromHere },
  ];
}

/** The limit of passwords, asked for in a session. */
export function passwordLimit(owner: string): AttemptLimit {
  return { key: `password of ${owner}`, max: 10, window: QUARTER_HOUR, success: "clears" };
}

/**
 * The limit of second factors, asked for after a password. better-auth counts those that were wrong, after it has compared them,
 * so many at once would all be compared.
 */
export function secondFactorLimit(accountId: string): AttemptLimit {
  return { key: `second factor of ${accountId}`, max: 10, window: QUARTER_HOUR, success: "clears" };
}

/** Begins the keys of the limits of an email. The email itself is not kept, because it may be that of a stranger. */
export function keyOfEmail(email: string): string {
  return `sign-in as ${createHash("sha256").update(email.trim().toLowerCase()).digest("base64url")}`;
}
