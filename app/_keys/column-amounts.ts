import type { Formats } from "@/components/formats";
import type { AmountTexts } from "@/components/usage-bar";
import type { Key } from "@/server/keys/schema";
import { LIMIT_OF, SPEND_WINDOWS, type SpendWindow } from "./spend-bar";

/** How the amounts of each column are written: those of one column have equally many decimals. */
export interface ColumnAmounts extends Record<SpendWindow, AmountTexts> {
  price(yuan: number): string;
}

/** @param keys the keys that are shown together. */
export function columnAmounts(keys: Key[], formats: Formats): ColumnAmounts {
  const limited = (amount: number | null) => (amount ? [amount] : []);
  const windows = SPEND_WINDOWS.map((window) => [
    window,
    {
      used: formats.aligned(keys.map((key) => key[window])),
      limit: formats.aligned(keys.flatMap((key) => limited(key[LIMIT_OF[window]]))),
    },
  ]);
  const prices = keys.flatMap((key) => [...limited(key.input_price_limit), ...limited(key.output_price_limit)]);
  return { ...(Object.fromEntries(windows) as Record<SpendWindow, AmountTexts>), price: formats.aligned(prices) };
}
