"use client";

import { BreakableAmount } from "./breakable-amount";
import { useFormats } from "./use-formats";
import { decimalText } from "./yuan";

/**
 * An amount with up to four decimals. If it has more, the tooltip shows all of them.
 * @param ofCall it is of a single call, and may be so small that it needs more decimals.
 * @param isBreakable it may go on in the next line.
 */
export function Amount({
  yuan,
  ofCall = false,
  isBreakable = false,
}: {
  yuan: number;
  ofCall?: boolean;
  isBreakable?: boolean;
}) {
  const formats = useFormats();
  const shown = ofCall ? formats.callAmount(yuan) : formats.amount(yuan);
  const exact = formats.exactAmount(yuan);
  return (
    <data value={decimalText(yuan)} {...(exact !== shown && { title: exact })}>
      {isBreakable ? <BreakableAmount>{shown}</BreakableAmount> : shown}
    </data>
  );
}
