"use client";

import { useTranslations } from "use-intl/react";
import { useFormats } from "@/components/use-formats";
import { FROM_EVER, type PriceFields } from "@/server/prices/schema";

/** The prices of a model in yuan, in the order in which they are shown, and where each stands in its currency. */
export const SHOWN_PRICES = [
  ["input", "input_price"],
  ["cached_input", "cached_input_price"],
  ["output", "output_price"],
] as const;

export type ShownPrice = (typeof SHOWN_PRICES)[number][0];

/** How the fields of prices are written. */
export function usePriceTexts() {
  const t = useTranslations("models");
  const formats = useFormats();
  return {
    /** The first day of a price. */
    day: (day: string): string => (day === FROM_EVER ? t("always") : formats.date(day)),
    /** A number of tokens; `null` is unknown. */
    tokens: (tokens: number | null): string => (tokens === null ? "–" : formats.count(tokens)),
    /** Yuan for one unit of a currency. */
    rate: (rate: number): string => formats.decimal(rate),
    /** The price in its currency and the rate, `USD 0.15 × 7.2`; undefined for a price in yuan. */
    inCurrency: ({ currency, rate, ...prices }: PriceFields, name: ShownPrice): string | undefined => {
      if (currency === "CNY") return undefined;
      const given = SHOWN_PRICES.find(([shown]) => shown === name)?.[1] ?? "input_price";
      return `${currency} ${formats.decimal(prices[given] ?? prices.input_price)} × ${formats.decimal(rate)}`;
    },
    /** An amount before and after a change, with as many decimals as tell them apart. */
    pair: (before: number, after: number): [string, string] => {
      const shown: [string, string] = [formats.amount(before), formats.amount(after)];
      return shown[0] === shown[1] && before !== after
        ? [formats.exactAmount(before), formats.exactAmount(after)]
        : shown;
    },
  };
}
