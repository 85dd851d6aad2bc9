"use client";

import { useTranslations } from "use-intl/react";
import { ChangedModels } from "@/app/_ceilings/changed-models";
import { BlockedKeys } from "@/app/_limits/batch/blocked-keys";
import { ChangesTable } from "@/app/_prices/changes-table";
import { Notice } from "@/components/notice";
import type { PreviewOfRevert } from "@/server/history/schema";
import type { EventNoun } from "./event-noun";
import { useFieldTexts } from "./field-texts";

/**
 * What undoing a change would do: each field or price before and after, the models that come and go, and the keys that would
 * be blocked at once.
 */
export function PreviewOfUndo({
  preview,
  noun,
  isDisabling,
}: {
  preview: PreviewOfRevert;
  noun: EventNoun;
  /** The keys would be disabled. */
  isDisabling: boolean;
}) {
  const t = useTranslations("undo");
  const texts = useFieldTexts();
  const { key_count, changes, models, prices = [], price_count = 0 } = preview;
  const names = texts.inOrder(changes.map(({ parameter }) => parameter));
  // Unset and 0 both mean no limit. Two amounts that read alike are a change all the same.
  const isSameToReader = (name: string, before: unknown, after: unknown) =>
    (before === null || after === null) && texts.value(name, before) === texts.value(name, after);
  const shown = names
    .flatMap((name) => changes.filter(({ parameter }) => parameter === name))
    .map(({ parameter, values, distinct_count }) => ({
      parameter,
      values: values.filter(({ before, after }) => !isSameToReader(parameter, before, after)),
      moreCount: distinct_count - values.length,
    }))
    .filter(({ values, moreCount }) => values.length > 0 || moreCount > 0);
  return (
    <>
      <p className="text-sm font-medium">
        {t(`summary.${noun}`, { count: noun === "price" ? price_count : key_count })}
      </p>
      {noun === "price" && <ChangesTable label={t("prices")} changes={prices} />}
      {price_count > prices.length && (
        <p className="text-[0.8125rem] text-ink-soft">{t("more", { count: price_count - prices.length })}</p>
      )}
      {shown.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {shown.map(({ parameter, values, moreCount }) => (
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
                    {noun === "key" && key_count > 1 && <span className="text-ink-soft">{t("onKeys", { count })}</span>}
                  </li>
                ))}
                {moreCount > 0 && <li className="text-ink-soft">{t("moreChanges", { count: moreCount })}</li>}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {/* What new keys of a group start with counts as one key. */}
      {models && <ChangedModels models={models} keyCount={noun === "group" ? 1 : key_count} />}
      {isDisabling && <Notice tone="warn">{t("disables", { count: key_count })}</Notice>}
      <BlockedKeys preview={preview} />
    </>
  );
}
