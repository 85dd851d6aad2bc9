import type { ReactNode } from "react";
import { MESSAGES } from "@/app/_i18n/messages";
import { PageWords } from "@/app/_i18n/provider";
import { readLocale } from "@/app/_i18n/request";

/** The words of the usage, which no other page needs. */
export default async function Layout({ children }: { children: ReactNode }) {
  const { language } = await readLocale();
  return <PageWords messages={{ usage: MESSAGES[language].usage }}>{children}</PageWords>;
}
