"use client";

import { useTranslations } from "use-intl/react";
import { KeyId } from "@/app/_keys/key-id";
import { usePriceTexts } from "@/app/_prices/price-texts";
import { useLeftOutText } from "@/app/_undo/left-out-text";
import type { LeftOut } from "@/server/history/schema";
import { FROM_EVER } from "@/server/prices/schema";

/** What undoing a change leaves as it is, each with the reason. */
export function LeftOutList({ failed, count }: { failed: LeftOut[]; count: number }) {
  const t = useTranslations("undo");
  const leftOutText = useLeftOutText();
  const prices = usePriceTexts();
  if (count === 0) return null;
  return (
    <div className="grid gap-2 text-sm">
      <h3 className="font-medium">{t("left", { count })}</h3>
      <ul
        aria-label={t("left", { count })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls
        tabIndex={0}
        className="max-h-64 divide-y divide-line overflow-y-auto border-y border-line"
      >
        {failed.map(({ apikey_id, group_id, valid_from, name, ...reason }) => (
          <li
            key={apikey_id ?? group_id ?? `${valid_from} ${name}`}
            className="flex flex-wrap justify-between gap-x-4 py-2"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {name !== null && <bdi className="font-medium">{name} </bdi>}
              {apikey_id !== null && <KeyId>{apikey_id}</KeyId>}
              {valid_from !== null && valid_from !== FROM_EVER && (
                <span className="text-xs text-ink-soft">{t("fromDay", { day: prices.day(valid_from) })}</span>
              )}
            </span>
            <span className="text-ink-soft">{leftOutText(reason)}</span>
          </li>
        ))}
      </ul>
      {count > failed.length && <p className="text-ink-soft">{t("more", { count: count - failed.length })}</p>}
    </div>
  );
}
