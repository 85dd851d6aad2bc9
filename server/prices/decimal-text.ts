import { divideHalfEven, type Units } from "../limits/units";

const STORED_DECIMALS = 9;
/** No price has a thousand digits. To compute with a million of them takes seconds, in which nobody else is served. */
const FORM = /^(\d{0,1000})(?:\.(\d{0,1000}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a decimal number of 0 or more, `0.15` or `1.5e-07`, exactly, and rounds it half-even to nine decimals. Undefined when
 * the text is something else.
 * @param shift the number is multiplied by 10 to this power first: 6 makes a price of one token that of a million.
 */
export function readDecimal(text: string, shift = 0): Units | undefined {
  const [, whole = "", fraction = "", exponent = "0"] = FORM.exec(text) ?? [];
  const digits = whole + fraction;
  if (digits === "") return undefined;
  // The number is digits × 10^-scale.
  const scale = fraction.length - Number(exponent) - shift;
  return scale <= STORED_DECIMALS
    ? BigInt(digits) * 10n ** BigInt(STORED_DECIMALS - scale)
    : divideHalfEven(BigInt(digits), 10n ** BigInt(scale - STORED_DECIMALS));
}

/** Reads a whole number of 0 or more, written as a decimal number: `8192`, `1e3` and `1.0`, and not `0x10`. */
export function readWholeNumber(text: string): number | undefined {
  return text !== "" && FORM.test(text) && Number.isInteger(Number(text)) ? Number(text) : undefined;
}
