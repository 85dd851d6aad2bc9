import { isIPv6 } from "node:net";

/** How clients reach the service. A request alone does not say it. */
export interface Reach {
  /** Origin under which browsers reach the service. Absent: what each request says. */
  publicUrl: string | undefined;
  /** How many proxies are in front. With none, forwarding headers are ignored, because any client can write them. */
  proxies: number;
}

/** Reads a header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/**
 * The IP address of the client: with proxies in front, the address that the outermost of them has seen, which is the
 * n-th from the right of `X-Forwarded-For`; what stands further left was written by the client.
 * @param peer the address at the other end of the connection.
 */
export function clientAddress(header: HeaderReader, peer: string | null, { proxies }: Reach): string | null {
  const forwarded = proxies > 0 ? (header("x-forwarded-for") ?? "").split(",") : [];
  const seen = forwarded.at(-proxies)?.trim();
  return plainAddress(seen || peer);
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
 * Whether a browser says that a page of another site has made the request. Programs say nothing of the kind, and they
 * hold no cookie of a browser either.
 */
export function isFromAnotherSite(header: HeaderReader, reach: Reach): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = header("origin");
  return origin !== undefined && origin !== browserOrigin(header, reach);
}

/** One client for counting attempts: an IPv4 address, or the network of 64 bits that a line with IPv6 is given. */
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

/** An IPv4 address is the same whether it came over IPv6 or not. */
function plainAddress(address: string | null): string | null {
  return address?.replace(/^::ffff:(?=\d+\.)/i, "") ?? null;
}
