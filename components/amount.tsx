"use client";

import { BreakableAmount } from "./breakable-amount";
import { useFormats } from "./use-formats";
import { decimalText } from "./yuan";

/**
 * An amount with up to four decimals. If it has more, the tooltip shows all of them.
 * @param ofCall it is of a single call, and may be so small that it needs more decimals.
 * @param isBreakable it may go on in the next line.
 * @param written how the column that it stands in writes amounts, see `Formats.aligned`.
 */
export function Amount({
  yuan,
  ofCall = false,
  isBreakable = false,
  written,
}: {
  yuan: number;
  ofCall?: boolean;
  isBreakable?: boolean;
  written?: ((yuan: number) => string) | undefined;
}) {
  const formats = useFormats();
  const short = ofCall ? formats.callAmount(yuan) : formats.amount(yuan);
  const shown = written?.(yuan) ?? short;
  const exact = formats.exactAmount(yuan);
  return (
    <data value={decimalText(yuan)} {...(exact !== short && { title: exact })}>
      {isBreakable ? <BreakableAmount>{shown}</BreakableAmount> : shown}
    </data>
  );
}
