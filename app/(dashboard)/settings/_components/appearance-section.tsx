"use client";

import { useTranslations } from "use-intl/react";
import { THEMES, type Theme } from "@/app/_theme/theme";
import { useTheme } from "@/app/_theme/use-theme";
import { ChoiceField } from "@/components/choice-field";
import { Section } from "@/components/section";

/** Chooses the light theme, the dark theme, or the theme of the device. The browser keeps the choice. */
export function AppearanceSection({ saved }: { saved: Theme }) {
  const t = useTranslations("settings.appearance");
  const words = useTranslations("shell.themes");
  const [theme, choose] = useTheme(saved);
  return (
    <Section title={t("title")} description={t("text")}>
      <ChoiceField
        label={t("title")}
        value={theme}
        onChange={choose}
        choices={THEMES.map((each) => ({ value: each, label: words(each) }))}
      />
    </Section>
  );
}
