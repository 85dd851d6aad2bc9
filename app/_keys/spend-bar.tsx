"use client";

import { useTranslations } from "use-intl/react";
import { UsageBar } from "@/components/usage-bar";
import type { Key } from "@/server/keys/schema";

/** The fields of a key that count its spend: today, this month, in total. */
export const SPEND_WINDOWS = ["spent_today", "spent_this_month", "spent"] as const;

/** What a key has spent in a window, beside the limit of the same window. */
export function SpendBar({ window, apikey }: { window: (typeof SPEND_WINDOWS)[number]; apikey: Key }) {
  const t = useTranslations("keys.columns");
  return <UsageBar label={t(window)} used={apikey[window]} {...boundsOf(window, apikey)} />;
}

function boundsOf(window: (typeof SPEND_WINDOWS)[number], apikey: Key) {
  const { available } = apikey;
  switch (window) {
    case "spent_today":
      return { limit: apikey.daily_limit, remaining: available.daily, resetsAt: apikey.daily_resets_at };
    case "spent_this_month":
      return { limit: apikey.monthly_limit, remaining: available.monthly, resetsAt: apikey.monthly_resets_at };
    case "spent":
      return { limit: apikey.budget, remaining: available.budget, resetsAt: null };
  }
}
