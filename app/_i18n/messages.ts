import en from "../_messages/en.json";
import zhCN from "../_messages/zh-CN.json";
import type { Language } from "./language";

export type Messages = typeof en;

/** All words of the pages. For the server alone: client components get theirs through the provider. */
export const MESSAGES: Record<Language, Messages> = { en, "zh-CN": zhCN };

declare module "use-intl/core" {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
