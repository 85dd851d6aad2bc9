"use client";

import { useTranslations } from "use-intl/react";
import type { IconName } from "@/components/icon";
import { StatusChip, type Tone } from "@/components/status-chip";
import type { KeyStatus } from "@/server/keys/schema";

const CHIPS: Record<KeyStatus, { icon: IconName; tone: Tone }> = {
  active: { icon: "check", tone: "good" },
  disabled: { icon: "minus", tone: "neutral" },
  expired: { icon: "clock", tone: "warn" },
  exhausted: { icon: "gauge", tone: "danger" },
  revoked: { icon: "ban", tone: "danger" },
};

/** The status of a key, as a word with an icon. */
export function KeyStatusChip({ status }: { status: KeyStatus }) {
  const t = useTranslations("keys.status");
  return <StatusChip {...CHIPS[status]}>{t(status)}</StatusChip>;
}
