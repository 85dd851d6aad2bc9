"use client";

import type { ReactNode } from "react";
import { IntlProvider } from "use-intl/react";
import type { Language } from "./language";
import type { Messages } from "./messages";

/** Gives client components their words, and the zone and the moment that dates are told in. */
export function Words(props: {
  locale: Language;
  messages: Messages;
  timeZone: string;
  /** One moment for server and browser, so that both write the same relative times. */
  now: Date;
  children: ReactNode;
}) {
  return <IntlProvider {...props} />;
}
