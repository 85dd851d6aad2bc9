"use client";

import type { ReactNode } from "react";
import { IntlProvider, useLocale, useMessages } from "use-intl/react";
import { FormatsProvider } from "@/components/use-formats";
import type { Language } from "./language";
import type { Messages } from "./messages";

/** Provides client components with messages, the time zone, the present moment, and formats for values. */
export function Words(props: {
  locale: Language;
  messages: Partial<Messages>;
  timeZone: string;
  /** The same moment for server and browser, so that both render the same relative times. */
  now: Date;
  children: ReactNode;
}) {
  const { messages, children, ...others } = props;
  return (
    <IntlProvider {...others} messages={messages as Messages}>
      <FormatsProvider>{children}</FormatsProvider>
    </IntlProvider>
  );
}

/** Adds messages that the pages below it alone need. */
export function PageWords({ messages, children }: { messages: Partial<Messages>; children: ReactNode }) {
  const all = { ...useMessages(), ...messages };
  return (
    <IntlProvider locale={useLocale()} messages={all}>
      {children}
    </IntlProvider>
  );
}
