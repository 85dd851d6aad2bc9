import en from "../_messages/en.json";
import zhCN from "../_messages/zh-CN.json";
import type { Language } from "./language";

export type Messages = typeof en;

/** All messages of the pages, for the server only. Client components get them from the provider. */
export const MESSAGES: Record<Language, Messages> = { en, "zh-CN": zhCN };

declare module "use-intl/core" {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
