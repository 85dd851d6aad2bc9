"use client";

import { startTransition, useOptimistic } from "react";
import { useTranslations } from "use-intl/react";
import { LANGUAGE_COOKIE, LANGUAGE_NAMES, LANGUAGES, type Language } from "@/app/_i18n/language";
import { forgetChoice, keepChoice } from "@/app/_theme/choice";
import { trpc } from "@/app/_trpc/client";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { ChoiceField } from "@/components/choice-field";
import { Section } from "@/components/section";

/** Changes the language of the account. @param saved `null` follows the browser. */
export function LanguageSection({ saved }: { saved: Language | null }) {
  const t = useTranslations("settings.language");
  const { redraw } = useRedraw();
  const [shown, show] = useOptimistic(saved);
  // One after the other, so that the last choice counts.
  const save = trpc.accounts.updateSettings.useMutation({ scope: { id: LANGUAGE_COOKIE } });
  const choose = (language: Language | null) =>
    startTransition(async () => {
      show(language);
      try {
        await save.mutateAsync({ language });
      } catch {
        // The notice shows the failure, and the choice returns to the saved one.
        return;
      }
      // The pages before the next sign-in read the cookie.
      if (language === null) forgetChoice(LANGUAGE_COOKIE);
      else keepChoice(LANGUAGE_COOKIE, language);
      await redraw();
    });
  return (
    <Section title={t("title")} description={t("text")}>
      <div className="grid gap-4">
        <FailureNotice error={save.error} onRetry={() => choose(save.variables?.language ?? null)} />
        <ChoiceField
          label={t("title")}
          value={shown ?? "browser"}
          onChange={(value) => choose(value === "browser" ? null : value)}
          choices={[
            { value: "browser", label: t("likeBrowser") },
            ...LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language })),
          ]}
        />
      </div>
    </Section>
  );
}
