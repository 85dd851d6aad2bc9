"use client";

import { useEffect, useTransition } from "react";
import { callAuth } from "@/app/_auth/call";
import { isSignedOut, useAuthFailureText } from "@/app/_auth/failure";
import { LANGUAGE_COOKIE, type Language } from "@/app/_i18n/language";
import { forgetRecent } from "@/app/_palette/recent";
import { keepChoice } from "@/app/_theme/choice";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { tellPageAsked, tellPageAwaited } from "@/components/page-asked";
import { useToast } from "@/components/toast";

/** What the account menu and the command palette do: language and signing out. A failure shows as a toast. */
export function useAccountActions() {
  const { redraw, isRedrawing } = useRedraw();
  const toast = useToast();
  const failureText = useFailureText();
  const authFailureText = useAuthFailureText();
  // One after the other, so that the last choice counts.
  const settings = trpc.accounts.updateSettings.useMutation({ scope: { id: LANGUAGE_COOKIE } });
  const [isChoosing, startChoosing] = useTransition();
  const isAwaited = isChoosing || isRedrawing;
  useEffect(() => {
    if (!isAwaited) return;
    tellPageAwaited(true);
    return () => tellPageAwaited(false);
  }, [isAwaited]);
  return {
    chooseLanguage: (language: Language) => {
      startChoosing(async () => {
        try {
          await settings.mutateAsync({ language });
        } catch (error) {
          return toast(failureText(error), "danger");
        }
        // The pages before the next sign-in read the cookie.
        keepChoice(LANGUAGE_COOKIE, language);
        await redraw();
      });
    },
    signOut: async () => {
      const next = "/sign-in";
      tellPageAsked(next);
      try {
        await callAuth("/sign-out", {});
      } catch (error) {
        if (!isSignedOut(error)) {
          tellPageAwaited(false);
          return toast(authFailureText(error), "danger");
        }
      }
      forgetRecent();
      // A full page load, so that no data of the account stays in memory.
      window.location.assign(next);
    },
  };
}
