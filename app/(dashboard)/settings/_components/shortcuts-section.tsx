"use client";

import { useTranslations } from "use-intl/react";
import { SingleKeysSwitch } from "@/app/_palette/single-keys-switch";
import { Section } from "@/components/section";

/** Turns keyboard shortcuts of one character on or off. The browser keeps the choice. */
export function ShortcutsSection() {
  const t = useTranslations("palette.shortcuts");
  return (
    <Section title={t("title")} description={t("text")}>
      <SingleKeysSwitch />
    </Section>
  );
}
