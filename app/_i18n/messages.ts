import en from "../_messages/en.json";
import zhCN from "../_messages/zh-CN.json";
import type { Language } from "./language";

export type Messages = typeof en;

/** All messages of the pages, for the server only. Client components get them from the provider. */
export const MESSAGES: Record<Language, Messages> = { en, "zh-CN": zhCN };

/** What client components of every page do not need: words of the server, and of single pages, whose layouts bring them. */
const ELSEWHERE: ReadonlySet<string> = new Set<keyof Messages>([
  "app",
  "docs",
  "history",
  "home",
  "notFound",
  "models",
  "overview",
  "security",
  "usage",
]);

/** The messages that every page brings. They stand in its HTML, so that they have to be few. */
export function messagesOfEveryPage(language: Language): Partial<Messages> {
  return Object.fromEntries(Object.entries(MESSAGES[language]).filter(([namespace]) => !ELSEWHERE.has(namespace)));
}

declare module "use-intl/core" {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
