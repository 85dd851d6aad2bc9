"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import { useFailureText } from "@/app/_trpc/error-words";
import { failureOf } from "@/app/_trpc/failure";
import { useToast } from "@/components/toast";

const STYLE =
  "inline-flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-soft hover:bg-panel hover:text-ink pointer-coarse:h-10";

/**
 * Downloads a file. A browser does not say why a download failed, and some say nothing at all. So the server is asked first
 * whether it would answer, and what it says is shown on the page.
 */
export function DownloadLink({
  href,
  className = STYLE,
  children,
}: {
  href: string;
  className?: string;
  children: ReactNode;
}) {
  const t = useTranslations("failure");
  const toast = useToast();
  const failureText = useFailureText();
  const path = usePathname();
  const utils = trpc.useUtils();

  const start = async () => {
    try {
      await utils.client.accounts.me.query();
    } catch (error) {
      const signIn = { label: t("signIn"), onPress: () => openTab(`/sign-in?next=${encodeURIComponent(path)}`) };
      return toast(failureText(error), "danger", failureOf(error).kind === "signed-out" ? signIn : undefined);
    }
    const link = document.createElement("a");
    link.href = href;
    link.download = "";
    link.click();
  };
  return (
    <a
      href={href}
      download
      onClick={(event) => {
        event.preventDefault();
        void start();
      }}
      className={className}
    >
      {children}
    </a>
  );
}

function openTab(address: string): void {
  window.open(address, "_blank", "noopener");
}
