"use client";

import { useFormats } from "./use-formats";
import { decimalText } from "./yuan";

/** An amount as it is read, with up to four decimals. Where it has more, pointing at it tells them. */
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
