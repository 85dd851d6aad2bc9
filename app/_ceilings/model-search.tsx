"use client";

import { useTranslations } from "use-intl/react";
import { BOX } from "@/components/field";

/** Searches a list of models in the browser, at each letter. Enter does not send the form that it may stand in. */
export function ModelSearch({ value, onChange }: { value: string; onChange(text: string): void }) {
  const t = useTranslations("ceilings");
  return (
    <input
      type="search"
      aria-label={t("search")}
      placeholder={t("search")}
      autoComplete="off"
      dir="auto"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      className={`${BOX} sm:w-48`}
    />
  );
}
