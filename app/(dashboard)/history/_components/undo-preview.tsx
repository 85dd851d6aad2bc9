"use client";

import { useTranslations } from "use-intl/react";
import { Notice } from "@/components/notice";
import type { PreviewOfRevert } from "@/server/history/schema";
import { useFieldTexts } from "./field-texts";

/** What undoing a change would do: each field before and after, and the keys that would be blocked at once. */
export function PreviewOfUndo({
  preview,
  isOfGroup,
  isDisabling,
}: {
  preview: PreviewOfRevert;
  isOfGroup: boolean;
  /** The keys would be disabled. */
  isDisabling: boolean;
}) {
  const t = useTranslations("undo");
  const texts = useFieldTexts();
  const { key_count, changes, blocked, blocked_count } = preview;
  const names = texts.inOrder(changes.map(({ parameter }) => parameter));
  const shown = names.flatMap((name) => changes.filter(({ parameter }) => parameter === name));
  return (
    <>
      <p className="text-sm font-medium">{isOfGroup ? t("summaryOfGroup") : t("summary", { count: key_count })}</p>
      <ul className="divide-y divide-line border-y border-line">
        {shown.map(({ parameter, values, distinct_count }) => (
          <li key={parameter} className="grid gap-x-6 gap-y-1 py-3 text-sm sm:grid-cols-[9.5rem_1fr]">
            <h3 className="font-medium">{texts.label(parameter)}</h3>
            <ul className="grid gap-1">
              {values.map(({ before, after, key_count: count }) => (
                <li
                  key={JSON.stringify([before, after])}
                  className="flex flex-wrap items-baseline gap-x-2 tabular-nums"
                >
                  <bdi className="text-ink-soft [overflow-wrap:anywhere]">{texts.value(parameter, before)}</bdi>
                  <span aria-hidden="true" className="text-ink-soft">
                    →
                  </span>
                  <span className="sr-only">{t("becomes")}</span>
                  <bdi className="font-semibold [overflow-wrap:anywhere]">{texts.value(parameter, after)}</bdi>
                  {!isOfGroup && key_count > 1 && <span className="text-ink-soft">{t("onKeys", { count })}</span>}
                </li>
              ))}
              {distinct_count > values.length && (
                <li className="text-ink-soft">{t("moreChanges", { count: distinct_count - values.length })}</li>
              )}
            </ul>
          </li>
        ))}
      </ul>
      {isDisabling && <Notice tone="warn">{t("disables", { count: key_count })}</Notice>}
      {blocked_count > 0 && (
        <Notice tone="warn" title={t("blocked", { count: blocked_count })}>
          <ul className="mt-1 grid gap-x-6 sm:grid-cols-2">
            {blocked.map(({ apikey_id, name }) => (
              <li key={apikey_id}>
                <bdi className="text-ink">{name}</bdi> <code className="font-mono text-xs">{apikey_id}</code>
              </li>
            ))}
          </ul>
          {blocked_count > blocked.length && (
            <p className="mt-1">{t("moreKeys", { count: blocked_count - blocked.length })}</p>
          )}
        </Notice>
      )}
    </>
  );
}
