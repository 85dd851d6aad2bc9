"use client";

import type { ReactNode } from "react";
import { IntlProvider } from "use-intl/react";
import type { Language } from "./language";
import type { Messages } from "./messages";

/** Provides client components with messages, the time zone, and the present moment. */
export function Words(props: {
  locale: Language;
  messages: Messages;
  timeZone: string;
  /** The same moment for server and browser, so that both render the same relative times. */
  now: Date;
  children: ReactNode;
}) {
  return <IntlProvider {...props} />;
}
