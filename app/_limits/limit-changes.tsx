"use client";

import { useTranslations } from "use-intl/react";
import type { Limits } from "@/server/limits/schema";
import { differingLimits } from "./draft";
import { useLimitTexts } from "./limit-texts";

/** Says how each limit will change. Screen readers announce it while the limits are edited. */
export function LimitChanges({ before, after }: { before: Limits; after: Limits }) {
  const t = useTranslations("limits");
  const texts = useLimitTexts();
  const changed = differingLimits(before, after);
  return (
    <div role="status" className="rounded-lg bg-panel px-3.5 py-3 text-sm">
      {changed.length === 0 ? (
        <p className="text-ink-soft">{t("nothingChanges")}</p>
      ) : (
        <ul className="grid gap-1">
          {changed.map((name) => (
            <li key={name} className="flex flex-wrap gap-x-2">
              <span className="text-ink-soft">{texts.label(name)}</span>
              <span className="tabular-nums">
                <span className="sr-only">{t("from")} </span>
                {texts.value(name, before[name])}
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> {t("to")} </span>
                <strong className="font-medium">{texts.value(name, after[name])}</strong>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
