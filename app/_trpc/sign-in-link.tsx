"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl/react";

/** Where to sign in, to come to a page afterwards. */
export function signInAddress(next: string): string {
  return `/sign-in?next=${encodeURIComponent(next)}`;
}

/** Leads to signing in again, in a new tab, so that what was typed on the page stays. */
export function SignInLink() {
  const t = useTranslations("failure");
  const path = usePathname();
  return (
    <a href={signInAddress(path)} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
      {t("signIn")}
    </a>
  );
}
