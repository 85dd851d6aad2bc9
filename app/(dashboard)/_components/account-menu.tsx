"use client";

import { useLocale, useTranslations } from "use-intl/react";
import { useAccountActions } from "@/app/_account/use-account-actions";
import { LANGUAGE_NAMES, LANGUAGES } from "@/app/_i18n/language";
import { THEMES, type Theme } from "@/app/_theme/theme";
import { useTheme } from "@/app/_theme/use-theme";
import { Icon } from "@/components/icon";
import { Menu } from "@/components/menu";

/** The menu of the account: language, theme, and signing out. */
export function AccountMenu({ email, theme: drawn }: { email: string; theme: Theme }) {
  const t = useTranslations("shell");
  const current = useLocale();
  const { chooseLanguage, signOut } = useAccountActions();
  const [theme, chooseTheme] = useTheme(drawn);

  return (
    <Menu
      // The name must contain the visible text (WCAG 2.5.3).
      label={`${t("account")} ${email}`}
      className="flex h-9 min-w-0 max-w-64 cursor-pointer items-center gap-2 rounded-lg px-2.5 text-sm text-ink-soft hover:bg-panel hover:text-ink aria-expanded:bg-panel aria-expanded:text-ink pointer-coarse:h-11"
      sections={[
        { label: email, items: [{ label: t("apiReference"), icon: "book", href: "/docs" }] },
        {
          label: t("language"),
          items: LANGUAGES.map((language) => ({
            label: LANGUAGE_NAMES[language],
            lang: language,
            isChosen: language === current,
            onSelect: () => chooseLanguage(language),
          })),
        },
        {
          label: t("theme"),
          items: THEMES.map((each) => ({
            label: t(`themes.${each}`),
            isChosen: each === theme,
            onSelect: () => chooseTheme(each),
          })),
        },
        { items: [{ label: t("signOut"), icon: "sign-out", onSelect: signOut }] },
      ]}
    >
      <Icon name="user" className="size-5" />
      <span className="hidden min-w-0 truncate xl:block">{email}</span>
      <Icon name="chevron-down" className="hidden size-4 lg:block" />
    </Menu>
  );
}
