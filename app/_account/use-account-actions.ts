"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { LANGUAGE_COOKIE, type Language } from "@/app/_i18n/language";
import { forgetRecent } from "@/app/_palette/recent";
import { chooseTheme as applyTheme, keepChoice } from "@/app/_theme/choice";
import type { Theme } from "@/app/_theme/theme";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { tellPageAsked } from "@/components/page-asked";
import { useToast } from "@/components/toast";

/** What the account menu and the command palette do: language, theme, and signing out. A failure shows as a toast. */
export function useAccountActions() {
  const failure = useTranslations("failure");
  const router = useRouter();
  const toast = useToast();
  const failureText = useFailureText();
  const settings = trpc.accounts.updateSettings.useMutation({
    onSuccess: () => router.refresh(),
    onError: (error) => toast(failureText(error), "danger"),
  });
  return {
    chooseLanguage: (language: Language) => {
      // The pages before the next sign-in read the cookie.
      keepChoice(LANGUAGE_COOKIE, language);
      settings.mutate({ language });
    },
    chooseTheme: (theme: Theme) => {
      applyTheme(theme);
      router.refresh();
    },
    signOut: async () => {
      const next = "/sign-in";
      tellPageAsked(next);
      try {
        const answer = await fetch("/api/auth/sign-out", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: "{}",
        });
        if (!answer.ok && answer.status !== 401) throw new Error(String(answer.status));
        forgetRecent();
        // A full page load, so that no data of the account stays in memory.
        window.location.assign(next);
      } catch {
        tellPageAsked(window.location.href);
        toast(failure("unreachable"), "danger");
      }
    },
  };
}
