"use client";

import { useFormats } from "./use-formats";
import { decimalText } from "./yuan";

/** An amount with up to four decimals. If it has more, the tooltip shows all of them. */
export function Amount({ yuan }: { yuan: number }) {
  const formats = useFormats();
  const shown = formats.amount(yuan);
  const exact = formats.exactAmount(yuan);
  return (
    <data value={decimalText(yuan)} {...(exact !== shown && { title: exact })}>
      {shown}
    </data>
  );
}
