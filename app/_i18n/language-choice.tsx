"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useLocale, useTranslations } from "use-intl/react";
import { keepChoice } from "@/app/_theme/choice";
import { ChoiceField } from "@/components/choice-field";
import { LANGUAGE_COOKIE, LANGUAGE_NAMES, LANGUAGES } from "./language";

/** Changes the language of the pages before the sign-in, in this browser. What was typed in the page stays. */
export function LanguageChoice() {
  const t = useTranslations("settings.language");
  const router = useRouter();
  const locale = useLocale();
  const [, startTransition] = useTransition();
  return (
    <ChoiceField
      label={t("title")}
      value={LANGUAGES.find((language) => language === locale) ?? "en"}
      onChange={(language) => {
        keepChoice(LANGUAGE_COOKIE, language);
        startTransition(() => router.refresh());
      }}
      choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language }))}
    />
  );
}
