import type { ReactNode } from "react";
import { MESSAGES, type Messages } from "./messages";
import { PageWords } from "./provider";
import { readLocale } from "./request";

/** A layout that gives the pages below it words that not every page needs. */
export function layoutWithWords(namespace: keyof Messages) {
  return async function Layout({ children }: { children: ReactNode }) {
    const { language } = await readLocale();
    return <PageWords messages={{ [namespace]: MESSAGES[language][namespace] }}>{children}</PageWords>;
  };
}
