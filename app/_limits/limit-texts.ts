"use client";

import { useTranslations } from "use-intl/react";
import { useFormats } from "@/components/use-formats";
import { isPrice, type LimitName } from "@/server/limits/schema";
import type { LimitFault } from "./draft";

/** The names of limits and the texts of their values. */
export interface LimitTexts {
  label(name: LimitName): string;
  /** The unit that stands after a typed amount. */
  unit(name: LimitName): string;
  /** A value with its unit. `null` and 0 read "Unlimited", or "Never" for the expiry date. */
  value(name: LimitName, value: number | string | null): string;
  fault(fault: LimitFault | undefined): string | undefined;
}

/** These texts in the language of the page. */
export function useLimitTexts(): LimitTexts {
  const t = useTranslations("limits");
  const formats = useFormats();
  return {
    label: (name) => t(`names.${name}`),
    unit: (name) => (isPrice(name) ? t("pricePerMillion") : t("yuan")),
    value: (name, value) => {
      if (name === "expiry_date") return value ? formats.date(String(value)) : t("never");
      return isPrice(name) ? formats.price(Number(value ?? 0)) : formats.limit(Number(value ?? 0));
    },
    fault: (fault) => (fault === undefined ? undefined : t(`faults.${fault}`)),
  };
}
