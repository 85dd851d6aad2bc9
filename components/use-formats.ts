"use client";

import { useMemo } from "react";
import { useLocale, useNow, useTimeZone, useTranslations } from "use-intl/react";
import { createFormats, type Formats } from "./formats";

const MINUTE_MS = 60_000;

/** What limits are called too. */
export interface ReadableFormats extends Formats {
  /** An amount that bounds; null and 0 bound nothing, and read "Unlimited". */
  limit(yuan: number | null): string;
  /** A price ceiling, in yuan per million tokens. */
  price(yuan: number | null): string;
}

/** The reader's way to write amounts and moments. Relative times move on every minute. */
export function useFormats(): ReadableFormats {
  const language = useLocale();
  const timeZone = useTimeZone() ?? "UTC";
  const now = useNow({ updateInterval: MINUTE_MS });
  const t = useTranslations("components.limit");
  return useMemo(() => {
    const formats = createFormats(language, timeZone, now);
    return {
      ...formats,
      limit: (yuan) => (yuan ? formats.amount(yuan) : t("unlimited")),
      price: (yuan) => (yuan ? t("price", { amount: formats.amount(yuan) }) : t("unlimited")),
    };
  }, [language, timeZone, now, t]);
}
