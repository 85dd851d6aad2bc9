// A number as small as 1e-400 is not 0, but becomes 0 when JavaScript reads it, and 0 means "no limit". So it is read as the
// smallest number there is, and is refused like other numbers that are too small.

/** What a text with such a number can look like: an exponent below -99, or many zeros. */
const MAY_UNDERFLOW = /e-\d{3}|(?<!0)0{220}/i;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:e[+-]?\d+)?/gi;
const HAS_DIGIT_OTHER_THAN_0 = /^[^e]*[1-9]/i;

/** The number that a text names, in decimal digits. One that is not 0 does not become 0. */
export function numberOf(text: string): number {
  const number = Number(text);
  if (number !== 0 || !HAS_DIGIT_OTHER_THAN_0.test(text)) return number;
  return text.startsWith("-") ? -Number.MIN_VALUE : Number.MIN_VALUE;
}

/**
 * Parses JSON. A number that is not 0 does not become 0.
 * @throws {SyntaxError} when it is not JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_UNDERFLOW.test(text)) return value;
  const withoutUnderflow = text.replace(STRING_OR_NUMBER, (token) => {
    const isUnderflow = Number(token) === 0 && numberOf(token) !== 0;
    return isUnderflow ? String(numberOf(token)) : token;
  });
  return JSON.parse(withoutUnderflow);
}
