import { createHmac, timingSafeEqual } from "node:crypto";
import type { AuthSecrets } from "./secret";

/** Longer than each cookie of signing in. A longer one is not worth a checksum. */
const MAX_LENGTH = 512;

/** A cookie that this deployment has signed. */
export interface SignedCookie {
  name: string;
  /** The value, signed with the current secret, which is the only one that better-auth knows for cookies. */
  signed: string;
  /** What was signed. */
  content: string;
}

/** Whether the origin of a browser is under https. */
export function isSecure(origin: string): boolean {
  return origin.startsWith("https:");
}

/**
 * The prefix of the names of all cookies of signing in. Under https a browser takes a `__Host-` cookie from this host
 * alone, so that no page of a neighbouring host can plant one.
 */
export function cookiePrefix(isSecure: boolean): string {
  return `${isSecure ? "__Host-" : ""}allowance`;
}

/**
 * The cookies of signing in that one of the secrets has signed, in their order. Whatever else has such a name counts as
 * absent: it is not signed, signed by someone else, too long or no text.
 * @param header the `Cookie` header.
 */
export function signedCookies(header: string | undefined, origin: string, secrets: AuthSecrets): SignedCookie[] {
  const prefix = `${cookiePrefix(isSecure(origin))}.`;
  return (header ?? "").split(";").flatMap((part) => {
    const [name, sent] = halves(part.trim(), part.trim().indexOf("="));
    if (!name.startsWith(prefix) || sent.length > MAX_LENGTH) return [];
    const content = signedContent(decoded(sent), secrets);
    if (content === undefined) return [];
    return [{ name, content, signed: encodeURIComponent(`${content}.${signatureOf(content, secrets.current)}`) }];
  });
}

/** better-auth's form of a signed cookie: the content, a dot, its signature. */
function signedContent(value: string, { current, previous }: AuthSecrets): string | undefined {
  const [content, signature] = halves(value, value.lastIndexOf("."));
  const given = Buffer.from(signature);
  const isSigned = [current, ...previous].some((secret) => {
    const expected = Buffer.from(signatureOf(content, secret));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? content : undefined;
}

/** HMAC-SHA-256 in base64. */
function signatureOf(content: string, secret: string): string {
  return createHmac("sha256", secret).update(content).digest("base64");
}

function halves(text: string, at: number): [string, string] {
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(sent: string): string {
  try {
    return decodeURIComponent(sent);
  } catch {
    return "";
  }
}
