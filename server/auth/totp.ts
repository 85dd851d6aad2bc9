import { createHmac } from "node:crypto";

/** Length of a time step, in milliseconds (RFC 6238). */
const STEP_MS = 30_000;
/** How many steps a clock may be wrong. better-auth accepts the same. */
const WINDOW = 1;

/**
 * The time step that a code of six digits belongs to: the latest one around now. `undefined` when the code is of none.
 * @param now milliseconds since 1970.
 */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | undefined {
  const step = Math.floor(now / STEP_MS);
  for (let tried = step + WINDOW; tried >= step - WINDOW; tried--) {
    if (codeOfStep(secret, tried) === code) return tried;
  }
  return undefined;
}

/** RFC 4226. */
function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
