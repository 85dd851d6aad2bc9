import type { Random } from "./random";

const GATEWAYS = ["gateway-cn-north", "gateway-eu", "batch-runner"] as const;

/** Who asked for a call, and what they call it; most have both. */
export function callOrigin(random: Random): { request_id: string | null; gateway: string | null } {
  return {
    request_id: random.chance(0.8) ? `call-${random.hex()}${random.hex()}` : null,
    gateway: random.chance(0.85) ? random.pick(GATEWAYS) : null,
  };
}
