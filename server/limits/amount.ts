import { DECIMALS, divideHalfEven, SAFE_UNITS, UNITS_PER_YUAN } from "./units";

/** The largest amount that is accepted, in yuan or yuan per million tokens. */
export const MAX_AMOUNT = 1e15;
/** The smallest positive amount that is stored. */
export const SMALLEST_AMOUNT = 1 / UNITS_PER_YUAN;
const SHOWN_DECIMALS = 4;
const SHOWN_UNITS = 1e4;
/** From here on, four decimals have four digits that say something. */
const WHOLLY_SHOWN_BELOW = 0.1;

/**
 * Rounds an amount half-even to the 9 decimals that are stored. It rounds the shortest decimal digits that name the
 * number (what JSON prints), so 0.1 is 0.1 and not the binary fraction nearest to it. See docs/api.md#amounts.
 * @param amount a finite number >= 0. -0 becomes 0.
 */
export function roundAmount(amount: number): number {
  // Adding 0 makes -0 a plain 0.
  return isWholeIn(UNITS_PER_YUAN, amount) ? amount + 0 : Number(toFixedHalfEven(amount, DECIMALS));
}

/** Whether rounding would turn a positive amount into 0, and so a limit into "no limit". */
export function roundsToZero(amount: number): boolean {
  return amount > 0 && roundAmount(amount) === 0;
}

/** An amount with exactly four decimals: 12.5 → "12.5000". See docs/api.md#set-limits-of-a-key. */
export function toFourDecimals(amount: number): string {
  return isWholeIn(SHOWN_UNITS, amount) ? amount.toFixed(SHOWN_DECIMALS) : toFixedHalfEven(amount, SHOWN_DECIMALS);
}

/**
 * An amount as sentences show it: with four decimals, 12.5 → "12.5000". Below 0.1 those would cut off what matters, so it has
 * all its decimals: 0.00018 → "0.00018". See docs/api.md#amounts.
 */
export function formatAmount(amount: number): string {
  return amount < WHOLLY_SHOWN_BELOW ? toAllDecimals(amount) : toFourDecimals(amount);
}

/** An amount with all its decimals, at least four: 4 → "4.0000", 4.00001 → "4.00001". */
export function toAllDecimals(amount: number): string {
  if (isWholeIn(SHOWN_UNITS, amount)) return amount.toFixed(SHOWN_DECIMALS);
  const text = toFixedHalfEven(amount, DECIMALS);
  const end = text.indexOf(".") + 1 + SHOWN_DECIMALS;
  return text.slice(0, end) + text.slice(end).replace(/0+$/, "");
}

/**
 * Whether an amount is surely a whole number of units, so that nothing is left to round. A division is rounded to the
 * nearest number: when it gives the amount back, the count of units names this amount, and below 2^52 no other count does.
 * A large amount may be a whole number of units although this is false.
 * @param units how many units are one yuan: a power of 10.
 */
function isWholeIn(units: number, amount: number): boolean {
  const count = Math.round(amount * units);
  return Number.isInteger(amount) || (count < SAFE_UNITS && count / units === amount);
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
