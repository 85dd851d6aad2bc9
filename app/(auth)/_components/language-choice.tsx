"use client";

import { useLocale, useTranslations } from "use-intl/react";
import { LANGUAGE_COOKIE, LANGUAGE_NAMES, LANGUAGES, type Language } from "@/app/_i18n/language";
import { keepChoice } from "@/app/_theme/choice";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { ChoiceField } from "@/components/choice-field";

/** Chooses the language before somebody has signed in. The browser keeps it; what was typed stays. */
export function LanguageChoice() {
  const t = useTranslations("shell");
  const current = useLocale();
  const { redraw } = useRedraw();
  const choose = (language: Language) => {
    keepChoice(LANGUAGE_COOKIE, language);
    void redraw();
  };
  return (
    <ChoiceField
      label={t("language")}
      value={current}
      onChange={choose}
      choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language }))}
    />
  );
}
