"use client";

import { useLocale, useTranslations } from "use-intl/react";
import { LANGUAGE_NAMES, LANGUAGES } from "@/app/_i18n/language";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";

/** Fields that have a word of their own; limits have theirs elsewhere. In the order in which they are shown. */
const NAMED = [
  "name",
  "description",
  "group",
  "email",
  "apikey_id",
  "grace_seconds",
  "time_zone",
  "language",
  "provider",
  "sessions",
] as const;

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How the fields of the history are named and written for the reader. */
export function useFieldTexts() {
  const t = useTranslations("history");
  const limits = useLimitTexts();
  const locale = useLocale();
  const limitNamed = (name: string) => SHOWN_NAMES.find((each) => each === name);

  const duration = (seconds: number) => {
    if (seconds === 0) return t("values.atOnce");
    // The largest unit that says it exactly.
    const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS[3];
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
  };
  return {
    inOrder: (names: string[]): string[] => {
      const order: readonly string[] = [...NAMED, ...SHOWN_NAMES];
      const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
      return names.toSorted((one, other) => place(one) - place(other));
    },
    /** The word for a field; its own name where there is none. */
    label: (name: string): string => {
      const limit = limitNamed(name);
      const named = NAMED.find((each) => each === name);
      return limit ? limits.label(limit) : named ? t(`fields.${named}`) : name;
    },
    /** A value in words; plain JSON where its field is unknown. */
    value: (name: string, value: unknown): string => {
      const limit = limitNamed(name);
      if (limit && (value === null || typeof value === "number" || typeof value === "string")) {
        return limits.value(limit, value);
      }
      if (name === "grace_seconds" && typeof value === "number") return duration(value);
      if (name === "language" && value === null) return t("values.likeBrowser");
      if (name === "language") return LANGUAGE_NAMES[LANGUAGES.find((each) => each === value) ?? "en"];
      if (name === "group" && value === null) return t("values.noGroup");
      if (value === "") return t("values.empty");
      return typeof value === "string" ? value : JSON.stringify(value);
    },
  };
}
