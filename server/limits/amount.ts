/** The largest amount that is accepted, in yuan or yuan per million tokens. */
export const MAX_AMOUNT = 1e15;
const STORED_DECIMALS = 9;
const SMALLEST_AMOUNT = 1e-9;

/**
 * Rounds an amount half-even to the 9 decimals that are stored. The decimal digits looked at are the shortest ones
 * that name the number (what JSON prints), so 0.1 is 0.1 and not the binary fraction nearest to it.
 * @param amount a finite number >= 0. -0 becomes 0.
 */
export function roundAmount(amount: number): number {
  // Whole amounts are most of what comes; adding 0 makes -0 a plain 0.
  return Number.isInteger(amount) ? amount + 0 : Number(toFixedHalfEven(amount, STORED_DECIMALS));
}

/** Whether rounding would turn a positive amount into 0, and so a limit into "no limit". */
export function roundsToZero(amount: number): boolean {
  return amount > 0 && amount < SMALLEST_AMOUNT && roundAmount(amount) === 0;
}

/** An amount with four decimals, as the sentences of answers show it: 12.5 → "12.5000". */
export function formatAmount(amount: number): string {
  return toFixedHalfEven(amount, 4);
}

function toFixedHalfEven(amount: number, decimals: number): string {
  const [mantissa = "0", exponent = "0"] = String(amount).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  // amount = digits × 10^-scale
  const scale = fraction.length - Number(exponent);
  const units =
    scale <= decimals
      ? BigInt(digits) * 10n ** BigInt(decimals - scale)
      : divideHalfEven(BigInt(digits), 10n ** BigInt(scale - decimals));
  const text = units.toString().padStart(decimals + 1, "0");
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twiceRest = 2n * (dividend % divisor);
  const up = twiceRest > divisor || (twiceRest === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
