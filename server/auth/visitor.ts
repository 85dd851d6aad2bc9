import { isIP, isIPv6 } from "node:net";

/** How clients reach the service. The operator configures it, because a request does not tell. */
export interface Reach {
  /** Origin under which browsers reach the service. Absent: it is read from each request. */
  publicUrl: string | undefined;
  /** How many proxies are in front. With none, forwarding headers are ignored, because any client can write them. */
  proxies: number;
}

/** Reads a header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/**
 * The IP address of the client. With n proxies in front it is the n-th address from the right of `X-Forwarded-For`, which
 * the outermost proxy has written. The client itself may have written what is further left.
 * @param peer the address at the other end of the connection.
 */
export function clientAddress(header: HeaderReader, peer: string | null, { proxies }: Reach): string | null {
  const forwarded = proxies > 0 ? (header("x-forwarded-for") ?? "").split(",") : [];
  const seen = forwarded.at(-proxies);
  return plainAddress((seen === undefined ? undefined : forwardedAddress(seen)) ?? peer);
}

/** The address in an entry of `X-Forwarded-For`, which some proxies write with a port. Undefined when it is no address. */
function forwardedAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5})$/.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return isIP(address) ? address : undefined;
}

/** The origin that the browser has in its address bar, for example `https://keys.example.com`. */
export function browserOrigin(header: HeaderReader, { publicUrl, proxies }: Reach): string {
  if (publicUrl !== undefined) return publicUrl;
  const scheme = proxies > 0 && header("x-forwarded-proto") === "https" ? "https" : "http";
  const host = (proxies > 0 ? header("x-forwarded-host") : undefined) ?? header("host") ?? "localhost";
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : `${scheme}://localhost`;
}

/**
 * Whether a page of another site has made the request, by the headers of the browser. Programs do not send these headers,
 * and have no cookie of a browser.
 */
export function isFromAnotherSite(header: HeaderReader, reach: Reach): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = header("origin");
  return origin !== undefined && origin !== browserOrigin(header, reach);
}

/** Attempts are counted for this: an IPv4 address, or an IPv6 network of 64 bits, because one client may use all of it. */
export function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? "unknown";
  const [head = "", tail] = address.split("%", 1).join("").split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const groups = [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Writes an IPv4 address that came over IPv6 (`::ffff:192.0.2.1`) as the IPv4 address. */
function plainAddress(address: string | null): string | null {
  return address?.replace(/^::ffff:(?=\d+\.)/i, "") ?? null;
}
