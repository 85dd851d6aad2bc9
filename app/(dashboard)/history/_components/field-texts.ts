"use client";

import { useTranslations } from "use-intl/react";
import { LANGUAGE_NAMES, LANGUAGES } from "@/app/_i18n/language";
import { SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { usePriceTexts } from "@/app/_prices/price-texts";
import { useFormats } from "@/components/use-formats";
import type { LimitName } from "@/server/limits/schema";

/** Fields with a label in `history.fields`, in the order in which they are shown. Limits have labels of their own. */
const NAMED = [
  "name",
  "description",
  "group",
  "disabled",
  "email",
  "apikey_id",
  "grace_seconds",
  "time_zone",
  "language",
  "gateway_url",
  "provider",
  "sessions",
  "apply_defaults",
  "input_price",
  "output_price",
  "cached_input_price",
  "currency",
  "rate",
  "max_output_tokens",
  "aliases",
  "valid_from",
  "created_count",
  "changed_count",
  "deleted_count",
] as const;

/** Numbers of a price of a model. */
const NUMBERS: readonly string[] = ["input_price", "output_price", "cached_input_price", "rate", "max_output_tokens"];

/** The ways to change a limit from what it is (docs/api.md#relative-changes). */
const OPERATIONS = ["multiply", "add", "at_least", "at_most"] as const;

/** Fields that repeat what another one says in words. */
const HIDDEN: ReadonlySet<string> = new Set(["group_id", "model", "price_count"]);

/** The labels of the fields in the history, and the texts of their values. */
export function useFieldTexts() {
  const t = useTranslations("history");
  const limits = useLimitTexts();
  const prices = usePriceTexts();
  const formats = useFormats();
  const limitNamed = (name: string) => SHOWN_NAMES.find((each) => each === name);
  /** The limit of a field of a group, `default_budget`, that says what new keys start with. */
  const defaultNamed = (name: string) => SHOWN_NAMES.find((each) => `default_${each}` === name);

  const duration = (seconds: number) => (seconds === 0 ? t("values.atOnce") : formats.duration(seconds));
  /** A change of a limit from what it was on each key, as the API takes it. */
  const changeText = (limit: LimitName, change: object) => {
    const [operation = "", number] = Object.entries(change)[0] ?? [];
    const known = OPERATIONS.find((each) => each === operation);
    if (!known || typeof number !== "number") return JSON.stringify(change);
    const value = known === "multiply" ? formats.decimal(number) : limits.value(limit, Math.abs(number));
    return t(`values.${known === "add" && number < 0 ? "subtract" : known}`, { value });
  };
  return {
    inOrder: (names: string[]): string[] => {
      const order: readonly string[] = [...NAMED, ...SHOWN_NAMES, ...SHOWN_NAMES.map((name) => `default_${name}`)];
      const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
      return names.filter((name) => !HIDDEN.has(name)).toSorted((one, other) => place(one) - place(other));
    },
    /** The label of a field; the name of the field if it has no label. */
    label: (name: string): string => {
      const limit = limitNamed(name);
      const named = NAMED.find((each) => each === name);
      const ofNewKeys = defaultNamed(name);
      if (ofNewKeys) return t("fields.default", { limit: limits.label(ofNewKeys) });
      return limit ? limits.label(limit) : named ? t(`fields.${named}`) : name;
    },
    /** The text of a value; JSON if the field is unknown. */
    value: (name: string, value: unknown): string => {
      const ofNewKeys = defaultNamed(name);
      if (ofNewKeys && value === null) return t("values.noDefault");
      if (name === "apply_defaults") return t(value === true ? "values.yes" : "values.no");
      const limit = limitNamed(name) ?? ofNewKeys;
      if (limit && (value === null || typeof value === "number" || typeof value === "string")) {
        return limits.value(limit, value);
      }
      if (limit && value !== null && typeof value === "object") return changeText(limit, value);
      if (name === "grace_seconds" && typeof value === "number") return duration(value);
      if (name === "language" && value === null) return t("values.likeBrowser");
      if (name === "language") return LANGUAGE_NAMES[LANGUAGES.find((each) => each === value) ?? "en"];
      if (name === "gateway_url" && value === null) return t("values.empty");
      if (name === "group" && value === null) return t("values.noGroup");
      if (name === "disabled") return t(value ? "values.disabled" : "values.enabled");
      if (name === "cached_input_price" && value === null) return t("values.asInput");
      if (name === "max_output_tokens" && value === null) return t("values.unknown");
      if (NUMBERS.includes(name) && typeof value === "number") {
        return formats.decimal(value);
      }
      if (name === "valid_from" && typeof value === "string") return prices.day(value);
      if (name === "aliases" && Array.isArray(value)) return value.join(", ") || t("values.none");
      if (value === "") return t("values.empty");
      return typeof value === "string" ? value : JSON.stringify(value);
    },
  };
}
