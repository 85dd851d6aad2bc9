"use client";

import { useTranslations } from "use-intl/react";
import { useFormats } from "@/components/use-formats";

/** How long ago a key was last used. The tooltip shows the exact time. */
export function LastUsed({ at }: { at: number | null }) {
  const t = useTranslations("keys");
  const formats = useFormats();
  if (at === null) return <span className="text-ink-soft">{t("neverUsed")}</span>;
  const moment = formats.moment(at, { withZone: true });
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={moment}>
      {formats.relative(at)}
      {/* Screen readers do not read the title. */}
      <span className="sr-only">{t("usedAt", { moment })}</span>
    </time>
  );
}
