import { BlockList, isIPv6 } from "node:net";
import type { Config } from "./config";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/**
 * Lines for the terminal when other machines can reach the sign-in over plain http, as far as the settings tell: whoever is on
 * the way then reads passwords and sessions. Empty otherwise.
 */
export function plainHttpWarning({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): string[] {
  if (publicUrl !== undefined || (host !== undefined && isLoopback(host))) return [];
  return [
    "Warning: other machines can reach the sign-in over plain http, and whoever is on the way can read passwords.",
    "  Put a proxy that ends TLS in front and set PUBLIC_URL to its https address, or set HOST=127.0.0.1",
  ];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || LOOPBACK.check(host, isIPv6(host) ? "ipv6" : "ipv4");
}
