import type { ReactNode } from "react";
import { MESSAGES, type Messages } from "./messages";
import { PageWords } from "./provider";
import { readLocale } from "./request";

/** A layout that gives the pages below it words that not every page needs. */
export function layoutWithWords(...namespaces: (keyof Messages)[]) {
  return async function Layout({ children }: { children: ReactNode }) {
    const { language } = await readLocale();
    const messages = Object.fromEntries(namespaces.map((namespace) => [namespace, MESSAGES[language][namespace]]));
    return <PageWords messages={messages}>{children}</PageWords>;
  };
}
