/**
 * An exact amount: billionths of a yuan (or of a yuan per million tokens). Amounts are stored with nine decimals, so that
 * each one is a whole number of units. Sums of numbers with a binary fraction are not exact.
 */
export type Units = bigint;

/** How many decimals of an amount are stored. */
export const DECIMALS = 9;
export const UNITS_PER_YUAN = 1e9;
/** Below so many units, two amounts that differ by a unit never are the same JavaScript number. */
export const SAFE_UNITS = 2 ** 52;

/** The units of an amount that has at most nine decimals, as every accepted amount has. */
export function unitsOf(amount: number): Units {
  const units = Math.round(amount * UNITS_PER_YUAN);
  if (Math.abs(units) < SAFE_UNITS && units / UNITS_PER_YUAN === amount) return BigInt(units);
  // It has no exponent: an amount below 1e-6 has few units, so it never comes here.
  const [whole = "0", fraction = ""] = String(amount).split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(DECIMALS - fraction.length);
}

/** The units of a decimal number as PostgreSQL writes it, with at most nine decimals. */
export function unitsOfDecimal(decimal: string): Units {
  const point = decimal.indexOf(".");
  if (point === -1) return BigInt(decimal) * BigInt(UNITS_PER_YUAN);
  return BigInt(decimal.slice(0, point) + decimal.slice(point + 1).padEnd(DECIMALS, "0"));
}

/** The same where there may be none. */
export function unitsOrNull(decimal: string | null): Units | null {
  return decimal === null ? null : unitsOfDecimal(decimal);
}

/** The decimal number that PostgreSQL reads exactly. */
export function decimalOf(units: Units): string {
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** The same where there may be none. */
export function decimalOrNull(units: Units | null): string | null {
  return units === null ? null : decimalOf(units);
}

/** The number that is nearest to the amount, for an answer. */
export function amountOf(units: Units): number {
  const whole = Number(units);
  return Math.abs(whole) < SAFE_UNITS ? whole / UNITS_PER_YUAN : Number(decimalOf(units));
}

/** The same where there may be none. */
export function amountOrNull(units: Units | null): number | null {
  return units === null ? null : amountOf(units);
}

/** A quotient rounded to the nearest whole number, and to the even one of two that are as near. Both are 0 or more. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twiceRest = 2n * (dividend % divisor);
  const up = twiceRest > divisor || (twiceRest === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** A quotient rounded up to a whole number. Both are 0 or more. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
