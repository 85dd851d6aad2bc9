"use client";

import { useRouter } from "next/navigation";
import { startTransition, useOptimistic } from "react";
import { useTranslations } from "use-intl/react";
import { chooseTheme } from "@/app/_theme/choice";
import { THEMES, type Theme } from "@/app/_theme/theme";
import { ChoiceField } from "@/components/choice-field";
import { Section } from "@/components/section";

/** Chooses the light theme, the dark theme, or the theme of the device. The browser keeps the choice. */
export function AppearanceSection({ saved }: { saved: Theme }) {
  const t = useTranslations("settings.appearance");
  const words = useTranslations("shell.themes");
  const router = useRouter();
  const [shown, show] = useOptimistic(saved);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    startTransition(() => {
      show(theme);
      router.refresh();
    });
  };
  return (
    <Section title={t("title")} description={t("text")}>
      <ChoiceField
        label={t("title")}
        value={shown}
        onChange={choose}
        choices={THEMES.map((theme) => ({ value: theme, label: words(theme) }))}
      />
    </Section>
  );
}
