"use client";

import { useFormatter, useTranslations } from "use-intl/react";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { bdi } from "@/components/isolate";
import type { GroupDefaults } from "./use-group-defaults";

/** Says above the limits of a form which of them come from the group. */
export function DefaultsSource({ defaults: { groupName, names, isReading } }: { defaults: GroupDefaults }) {
  const t = useTranslations("groupDefaults");
  const texts = useLimitTexts();
  const format = useFormatter();
  return (
    <p aria-live="polite" className="text-[0.8125rem] leading-relaxed text-ink-soft empty:hidden">
      {isReading && t("reading")}
      {names.length > 0 &&
        t.rich("source", { group: groupName, limits: format.list(names.map((name) => texts.label(name))), bdi })}
    </p>
  );
}
