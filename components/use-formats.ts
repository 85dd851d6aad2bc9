"use client";

import { useMemo } from "react";
import { useLocale, useNow, useTimeZone, useTranslations } from "use-intl/react";
import { createFormats, type Formats } from "./formats";

const MINUTE_MS = 60_000;

/** The formats, and the words for limits. */
export interface ReadableFormats extends Formats {
  /** A limit in yuan. `null` and 0 mean no limit, and read "Unlimited". */
  limit(yuan: number | null): string;
  /** A price limit, in yuan per million tokens. */
  price(yuan: number | null): string;
}

/** Formats for the language and the zone of the reader. Relative times are updated every minute. */
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
