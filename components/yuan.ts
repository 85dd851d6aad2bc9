// Amounts have nine decimals. JavaScript numbers represent them, but do not add them exactly.

const DECIMALS = 9;

/** The sum, exact to the ninth decimal. */
export function sumExactly(amounts: Iterable<number>): number {
  let billionths = 0n;
  for (const yuan of amounts) billionths += billionthsOf(yuan);
  return Number(`${billionths}e-${DECIMALS}`);
}

/** An amount in plain digits with all its decimals, never in exponent notation. */
export function decimalText(yuan: number): string {
  const text = String(yuan);
  return text.includes("e") ? yuan.toFixed(DECIMALS).replace(/\.?0+$/, "") : text;
}

function billionthsOf(yuan: number): bigint {
  const [whole = "0", decimals = ""] = decimalText(yuan).split(".");
  return BigInt(whole + decimals.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}
