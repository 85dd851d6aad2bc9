import type { ReactNode } from "react";
import { MESSAGES } from "@/app/_i18n/messages";
import { PageWords } from "@/app/_i18n/provider";
import { readLocale } from "@/app/_i18n/request";

/** The words of the ways to sign in. */
export default async function Layout({ children }: { children: ReactNode }) {
  const { language } = await readLocale();
  return <PageWords messages={{ security: MESSAGES[language].security }}>{children}</PageWords>;
}
