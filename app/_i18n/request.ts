import { cookies, headers } from "next/headers";
import { cache } from "react";
import { createTranslator, type NamespaceKeys, type NestedKeyOf } from "use-intl/core";
import { readSession } from "../_trpc/session";
import { chooseLanguage, LANGUAGE_COOKIE, type Language } from "./language";
import { MESSAGES, type Messages } from "./messages";

/** The language and the time zone of a reader. */
export interface Locale {
  language: Language;
  /** IANA zone of the account; UTC without a session. */
  timeZone: string;
}

/** The language and the time zone for this request. They are read once per request. */
export const readLocale = cache(async (): Promise<Locale> => {
  const [session, cookie, header] = await Promise.all([readSession(), cookies(), headers()]);
  const account = session.state === "signed-in" ? session.account : undefined;
  return {
    language: chooseLanguage({
      account: account?.language,
      cookie: cookie.get(LANGUAGE_COOKIE)?.value,
      accepted: header.get("accept-language"),
    }),
    timeZone: account?.time_zone ?? "UTC",
  };
});

/** The messages of one namespace, for server components. Client components use `useTranslations`. */
export async function readWords<Namespace extends NamespaceKeys<Messages, NestedKeyOf<Messages>>>(
  namespace: Namespace,
) {
  const { language, timeZone } = await readLocale();
  return createTranslator({ locale: language, timeZone, messages: MESSAGES[language], namespace });
}
