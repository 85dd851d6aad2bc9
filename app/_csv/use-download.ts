"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { failureOf } from "@/app/_trpc/failure";
import { signInAddress } from "@/app/_trpc/sign-in-link";
import { useToast } from "@/components/toast";

/**
 * Downloads a file: `download("/keys/export")`. A browser does not say why a download failed, and some say nothing at all. So
 * the server is asked first whether it would answer, and what it says is shown on the page.
 */
export function useDownload(): (href: string) => Promise<void> {
  const t = useTranslations("failure");
  const toast = useToast();
  const failureText = useFailureText();
  const path = usePathname();
  const utils = trpc.useUtils();
  return async (href) => {
    try {
      await utils.client.accounts.me.query();
    } catch (error) {
      const signIn = { label: t("signIn"), onPress: () => openTab(signInAddress(path)) };
      return toast(failureText(error), "danger", failureOf(error).kind === "signed-out" ? signIn : undefined);
    }
    const link = document.createElement("a");
    link.href = href;
    link.download = "";
    link.click();
  };
}

function openTab(address: string): void {
  window.open(address, "_blank", "noopener");
}
