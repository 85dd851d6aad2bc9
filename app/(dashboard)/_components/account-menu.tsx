"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "use-intl/react";
import { LANGUAGE_COOKIE, LANGUAGE_NAMES, LANGUAGES, type Language } from "@/app/_i18n/language";
import { chooseTheme, keepChoice } from "@/app/_theme/choice";
import { THEMES, type Theme } from "@/app/_theme/theme";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { Icon } from "@/components/icon";
import { Menu } from "@/components/menu";
import { useToast } from "@/components/toast";

/** The menu of the account: language, theme, and signing out. */
export function AccountMenu({ email, theme }: { email: string; theme: Theme }) {
  const t = useTranslations("shell");
  const failure = useTranslations("failure");
  const current = useLocale();
  const router = useRouter();
  const toast = useToast();
  const failureText = useFailureText();
  const settings = trpc.accounts.updateSettings.useMutation({
    onSuccess: () => router.refresh(),
    onError: (error) => toast(failureText(error), "danger"),
  });

  const chooseLanguage = (language: Language) => {
    // The pages before the next sign-in read the cookie.
    keepChoice(LANGUAGE_COOKIE, language);
    settings.mutate({ language });
  };
  const signOut = async () => {
    try {
      const answer = await fetch("/api/auth/sign-out", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: "{}",
      });
      if (!answer.ok && answer.status !== 401) throw new Error(String(answer.status));
      // A full page load, so that no data of the account stays in memory.
      window.location.assign("/sign-in");
    } catch {
      toast(failure("unreachable"), "danger");
    }
  };

  return (
    <Menu
      // The name must contain the visible text (WCAG 2.5.3).
      label={`${t("account")} ${email}`}
      className="flex h-9 max-w-64 cursor-pointer items-center gap-2 rounded-lg px-2.5 text-sm text-ink-soft hover:bg-panel hover:text-ink aria-expanded:bg-panel aria-expanded:text-ink pointer-coarse:h-11"
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
            onSelect: () => {
              chooseTheme(each);
              router.refresh();
            },
          })),
        },
        { items: [{ label: t("signOut"), icon: "sign-out", onSelect: signOut }] },
      ]}
    >
      <Icon name="user" className="size-5" />
      <span className="hidden min-w-0 truncate lg:block">{email}</span>
      <Icon name="chevron-down" className="hidden size-4 lg:block" />
    </Menu>
  );
}
