"use client";

import { useTranslations } from "use-intl/react";
import { type AmountTexts, UsageBar } from "@/components/usage-bar";
import type { Key } from "@/server/keys/schema";

/** The fields of a key that count its spend: today, this month, in total. */
export const SPEND_WINDOWS = ["spent_today", "spent_this_month", "spent"] as const;

export type SpendWindow = (typeof SPEND_WINDOWS)[number];

/** The limit of each window. */
export const LIMIT_OF = { spent_today: "daily_limit", spent_this_month: "monthly_limit", spent: "budget" } as const;

/** What a key has spent in a window, beside the limit of the same window. */
export function SpendBar({
  window,
  apikey,
  amounts,
}: {
  window: SpendWindow;
  apikey: Key;
  /** How amounts are written beside those of other keys. */
  amounts?: AmountTexts | undefined;
}) {
  const t = useTranslations("keys.columns");
  return <UsageBar label={t(window)} used={apikey[window]} {...boundsOf(window, apikey)} amounts={amounts} />;
}

function boundsOf(window: SpendWindow, apikey: Key) {
  const { available } = apikey;
  const limit = apikey[LIMIT_OF[window]];
  switch (window) {
    case "spent_today":
      return { limit, remaining: available.daily, resetsAt: apikey.daily_resets_at };
    case "spent_this_month":
      return { limit, remaining: available.monthly, resetsAt: apikey.monthly_resets_at };
    case "spent":
      return { limit, remaining: available.budget, resetsAt: null };
  }
}
