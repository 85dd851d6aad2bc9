"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
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

const Shared = createContext<ReadableFormats | undefined>(undefined);

/**
 * Makes the formats for the language and the zone of the reader, once for all components below it: a page has hundreds that
 * use them. Relative times are updated every minute.
 */
export function FormatsProvider({ children }: { children: ReactNode }) {
  const language = useLocale();
  const timeZone = useTimeZone() ?? "UTC";
  const now = useNow({ updateInterval: MINUTE_MS });
  const t = useTranslations("components.limit");
  const shared = useMemo<ReadableFormats>(() => {
    const formats = createFormats(language, timeZone, now);
    return {
      ...formats,
      limit: (yuan) => (yuan ? formats.amount(yuan) : t("unlimited")),
      price: (yuan) => (yuan ? t("price", { amount: formats.amount(yuan) }) : t("unlimited")),
    };
  }, [language, timeZone, now, t]);
  return <Shared value={shared}>{children}</Shared>;
}

/** The formats of the page. */
export function useFormats(): ReadableFormats {
  const formats = useContext(Shared);
  if (!formats) throw new Error("a component that formats values stands outside of FormatsProvider");
  return formats;
}
