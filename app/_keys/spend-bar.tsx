"use client";

import { useTranslations } from "use-intl/react";
import { type AmountTexts, UsageBar } from "@/components/usage-bar";
import type { Key } from "@/server/keys/schema";
import { windowOf } from "./window-use";

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
  const { spent, ...use } = windowOf(apikey, LIMIT_OF[window]);
  return <UsageBar label={t(window)} used={spent} {...use} amounts={amounts} />;
}
